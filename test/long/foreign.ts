/**
 * Foreign programs at exact versions: installed from the npm registry once, into a folder that git ignores, and used
 * from there. npm runs no install scripts here, so only packages that bring their binaries as packages will do.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../harness/binary';
import { run } from './run';

export interface ForeignPackage {
  readonly name: string;
  readonly version: string;
}

const NODE_PLATFORM = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

export const NODE_24: ForeignPackage = { name: `node-${NODE_PLATFORM}`, version: '24.21.0' };
export const CONFORMANCE: ForeignPackage = {
  name: '@modelcontextprotocol/conformance',
  version: '0.2.0-alpha.12',
};
export const INSPECTOR: ForeignPackage = { name: '@modelcontextprotocol/inspector', version: '2.12.0' };
/** A client of the Agent Client Protocol for terminals; it needs a newer Node than we do. */
export const ACPX: ForeignPackage = { name: 'acpx', version: '0.19.1' };
export const OLD_ACP_SDKS: readonly ForeignPackage[] = ['0.14.1', '1.9.0'].map((version) => ({
  name: '@agentclientprotocol/sdk',
  version,
}));
export const CODEX: ForeignPackage = { name: '@openai/codex', version: '0.166.0' };

const INSTALL_LIMIT_MS = 180_000;
/** Everything that the proofs fetch or leave behind. */
export const scratch = join(repository, '.cache', 'foreign');

/** The package's own folder, with everything it needs around it. */
export async function install({ name, version }: ForeignPackage): Promise<string> {
  const folder = join(scratch, `${name.replace('@', '').replace('/', '-')}-${version}`);
  const home = join(folder, 'node_modules', name);
  if (existsSync(join(home, 'package.json'))) return home;
  // An install that was interrupted must not look like a finished one.
  const unfinished = `${folder}.unfinished`;
  for (const old of [folder, unfinished]) rmSync(old, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  // Without a network, say so soon.
  const flags = [...quiet, '--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--prefix', unfinished];
  const { code, stderr } = await run('npm', ['install', ...flags, `${name}@${version}`], {
    limitMs: INSTALL_LIMIT_MS,
  });
  if (code !== 0)
    throw new Error(`npm could not install ${name}@${version}; is the registry within reach? It said: ${stderr}`);
  renameSync(unfinished, folder);
  return home;
}

export async function node24(): Promise<string> {
  const home = await install(NODE_24);
  return process.platform === 'win32' ? join(home, 'bin', 'node.exe') : join(home, 'bin', 'node');
}
