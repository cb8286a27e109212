/**
 * A place of its own for the Codex CLI: a fresh home with a config that keeps it on loopback, and our server in it.
 * The home lies in the repository, not in the system's folder for temporary files: Codex refuses to work from there.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binary, nodeBinary } from '../harness/binary';
import { CODEX, install, scratch } from './foreign';
import { MODEL_CATALOGUE } from './model-catalogue';

export interface CodexHome {
  /** The program and the first words of its command line. */
  readonly command: readonly [string, string];
  readonly env: NodeJS.ProcessEnv;
  remove(): void;
}

export interface CodexOptions {
  /** Serves this folder over stdio, or is a server that already runs. */
  readonly server?: OurServer;
  /** Address of a scripted model. */
  readonly modelUrl?: string;
}

type OurServer = { readonly root: string } | { readonly url: string; readonly token: string };

export async function makeCodexHome({ server, modelUrl }: CodexOptions): Promise<CodexHome> {
  const launcher = join(await install(CODEX), 'bin', 'codex.js');
  const place = mkdtempSync(join(scratch, 'codex-home-'));
  const [home, temporary] = [join(place, 'home'), join(place, 'tmp')];
  for (const folder of [home, temporary]) mkdirSync(folder);
  const catalogue = join(home, 'models.json');
  writeFileSync(catalogue, JSON.stringify(MODEL_CATALOGUE));
  writeFileSync(join(home, 'config.toml'), configFor(catalogue, server, modelUrl));
  const { PATH, LANG } = process.env;
  return {
    command: [process.execPath, launcher],
    // Nothing else of the environment: no keys, no proxies, and no settings of the person who runs the tests.
    env: { PATH, LANG, HOME: home, CODEX_HOME: home, TMPDIR: temporary, RUST_BACKTRACE: '0' },
    remove: () => rmSync(place, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Strings of JSON are strings of TOML. */
function configFor(catalogue: string, server: OurServer | undefined, modelUrl = 'http://127.0.0.1:9/v1'): string {
  return `model = "scripted"
model_provider = "scripted"
model_catalog_json = ${JSON.stringify(catalogue)}
check_for_update_on_startup = false
web_search = "disabled"

[analytics]
enabled = false
[feedback]
enabled = false
[otel]
exporter = "none"
trace_exporter = "none"
metrics_exporter = "none"
[features]
apps = false
plugins = false

[model_providers.scripted]
name = "scripted"
base_url = ${JSON.stringify(modelUrl)}
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
${server ? serverLines(server) : ''}`;
}

function serverLines(server: OurServer): string {
  const place = 'root' in server ? stdioLines(server.root) : httpLines(server);
  return `\n[mcp_servers.tenon]\nrequired = true\n${place}\n`;
}

function stdioLines(root: string): string {
  const args = JSON.stringify([binary, 'serve', '--root', root]);
  return `command = ${JSON.stringify(nodeBinary())}\nargs = ${args}`;
}

function httpLines({ url, token }: { url: string; token: string }): string {
  return `url = ${JSON.stringify(url)}\nhttp_headers = { Authorization = ${JSON.stringify(`Bearer ${token}`)} }`;
}
