/**
 * The official MCP conformance suite against our HTTP door: with the binary as users run it, with our server and
 * engine around fixture tools, and with a fixture server that offers everything the suite asks about.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../harness/binary';
import { type HttpServer, startHttpServer } from '../harness/http-server';
import { makeWorkspace } from '../harness/workspace';
import { failuresOf, runSuite, tableOf } from './conformance-suite';
import { CONFORMANCE, install, node24 } from './foreign';

const TOKEN = 'conformance-token-0123456789';
const LIMIT_MS = 150_000;
const REBINDING_CHECK = 'localhost-host-rebinding-rejected';
const EXPECTED_FAILURES = join(repository, 'test', 'long', 'conformance-expected-failures.yml');

/** What can be asked of any server. The rest needs tools, prompts or resources of certain names. */
const OF_ANY_SERVER: Readonly<Record<string, readonly string[]>> = {
  '2025-06-18': ['server-initialize', 'server-session-lifecycle', 'ping', 'tools-list'],
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'server-sse-multiple-streams',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'caching:sep-2549-tools-list-caching-hints',
    'caching:sep-2549-ttl-non-negative',
    'caching:sep-2549-cache-scope-valid',
  ],
};

/** What our server and engine are asked beyond that: answers, failures, progress, and approval. */
const OF_OUR_TOOLS: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': ['tools-call-simple-text', 'tools-call-error', 'tools-call-with-progress', 'tools-call-elicitation'],
  '2026-07-28': [
    'tools-call-simple-text',
    'tools-call-error',
    'tools-call-with-progress',
    'input-required-result-request-state',
    'input-required-result-missing-input-response',
    'input-required-result-result-type',
    'input-required-result-tampered-state',
    'input-required-result-validate-input',
  ],
};

// Fetching them is no part of any test's time.
beforeAll(() => Promise.all([node24(), install(CONFORMANCE)]));

describe('the binary', () => {
  const workspace = makeWorkspace({ 'a.txt': 'one\n' });
  let server: HttpServer;
  beforeAll(async () => {
    server = await startHttpServer(['--root', workspace.root]);
  });
  afterAll(async () => {
    await server?.stop();
    workspace.remove();
  });

  for (const [revision, wanted] of Object.entries(OF_ANY_SERVER))
    it(`conforms to ${revision} where no fixture is needed`, () => expectPassed(server, revision, wanted), LIMIT_MS);
});

describe('the fixture server', () => {
  let server: FixtureServer;
  beforeAll(async () => {
    server = await startFixtureServer();
  });
  afterAll(() => server?.stop());

  for (const [revision, wanted] of Object.entries(OF_OUR_TOOLS))
    it(
      `conforms to ${revision} with our server, engine and approval`,
      () => expectPassed({ url: server.ours, token: TOKEN }, revision, [...(OF_ANY_SERVER[revision] ?? []), ...wanted]),
      LIMIT_MS,
    );

  for (const revision of Object.keys(OF_ANY_SERVER))
    it(
      `conforms to ${revision} in all but the listed scenarios, and fails those`,
      async () => {
        const result = await runSuite({
          url: server.full,
          token: TOKEN,
          revision,
          expectedFailures: EXPECTED_FAILURES,
        });
        console.log(`fixture server, ${revision}\n${tableOf(result.scenarios)}`);
        expect(result.exitCode, result.summary).toBe(0);
      },
      LIMIT_MS,
    );
});

/** An entry is a scenario, or one check of a scenario as `scenario:check`. */
async function expectPassed(
  server: { readonly url: string; readonly token: string },
  revision: string,
  wanted: readonly string[],
): Promise<void> {
  const { scenarios, summary } = await runSuite({ url: server.url, token: server.token, revision });
  const considered = new Map(
    wanted.map((entry) => {
      const [scenario = '', only] = entry.split(':');
      return [entry, (scenarios.get(scenario) ?? []).filter(({ id }) => only === undefined || id === only)];
    }),
  );
  console.log(`${revision}\n${tableOf(considered)}`);
  for (const [entry, checks] of considered) {
    expect(checks.filter(({ status }) => status === 'SUCCESS').length, `${entry} ran\n${summary}`).toBeGreaterThan(0);
    const failures = failuresOf(checks).filter(({ details }) => !details?.untestable);
    expect(failures, entry).toEqual([]);
  }
  const forged = scenarios.get('dns-rebinding-protection')?.find(({ id }) => id === REBINDING_CHECK);
  // The forged request has the right token: it is the Host header that the guard refuses.
  if (forged) expect(forged.details?.statusCode).toBe(403);
}

interface FixtureServer {
  readonly ours: string;
  readonly full: string;
  stop(): Promise<void>;
}

async function startFixtureServer(): Promise<FixtureServer> {
  const script = join(repository, '.cache', 'scripts', 'fixture-server.mjs');
  await build({
    absWorkingDir: repository,
    entryPoints: ['test/long/fixture-server.ts'],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'warning',
  });
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TENON_TOKEN: TOKEN },
  });
  const line = await firstLine(child);
  return {
    ...JSON.parse(line),
    async stop() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let errors = '';
    child.stderr?.on('data', (text) => {
      errors += text;
    });
    child.once('exit', (code) => reject(new Error(`the fixture server ended with ${code}: ${errors}`)));
    if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve);
  });
}
