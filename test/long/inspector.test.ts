/** The MCP Inspector's command line, on the Node that it needs, against the binary: each door and each era. */
import { mkdtempSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import listing from '../../src/tools/listing.generated.json';
import { binary, nodeBinary } from '../harness/binary';
import { type HttpServer, startHttpServer } from '../harness/http-server';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { INSPECTOR, install, node24, scratch } from './foreign';
import { run } from './run';

const LIMIT_MS = 60_000;
const ERAS = { legacy: '2025-11-25', modern: '2026-07-28' } as const;
const EXIT_OK = 0;
const EXIT_TOOL_FAILED = 5;

let workspace: Workspace;
let server: HttpServer;
let home: string;
let node: string;
let launcher: string;

beforeAll(async () => {
  node = await node24();
  launcher = join(await install(INSPECTOR), 'clients', 'launcher', 'build', 'index.js');
  home = mkdtempSync(join(scratch, 'inspector-'));
  workspace = makeWorkspace({ 'a.txt': 'one\n' });
  server = await startHttpServer(['--root', workspace.root]);
});
afterAll(async () => {
  await server?.stop();
  workspace?.remove();
  if (home) rmSync(home, { recursive: true, force: true });
});

for (const door of ['stdio', 'http'] as const)
  for (const [era, revision] of Object.entries(ERAS))
    describe(`the Inspector over ${door}, ${era}`, () => {
      const inspect = (...words: string[]) => inspectOver(door, '--protocol-era', era, ...words);

      it('agrees on the revision', async () => {
        const { code, result } = await inspect('--method', 'initialize');
        expect(code).toBe(EXIT_OK);
        expect(result).toMatchObject({ protocolVersion: revision, serverInfo: { name: 'tenon' } });
      });

      it('finds no fault in the schemas of the tools', async () => {
        const { code, result } = await inspect('--method', 'tools/list', '--strict');
        expect(code).toBe(EXIT_OK);
        expect((result.tools as { name: string }[]).map(({ name }) => name)).toEqual(listing.map(({ name }) => name));
      });

      it('calls a tool of each toolset', async () => {
        const calls = [
          ['read_text_file', { path: workspace.path('a.txt') }],
          ['list_dir', { dir: '.' }],
          ['hello', { name: 'Inspector' }],
        ] as const;
        const answers = await Promise.all(calls.map(([tool, args]) => inspect(...callOf(tool, args))));
        expect(answers.map(({ code }) => code)).toEqual([EXIT_OK, EXIT_OK, EXIT_OK]);
        expect(answers.map(bodyOf)).toMatchObject([
          { content: 'one\n' },
          { ok: true, data: { entries: [{ path: 'a.txt' }] } },
          { message: 'Hello, Inspector!' },
        ]);
      });

      it('tells a failure of a tool by its exit code, whichever toolset says it', async () => {
        const calls = [
          ['read_text_file', { path: workspace.path('none.txt') }],
          ['read_file', { file: 'none.txt' }],
          ['read_repo_file', { path: '.env' }],
        ] as const;
        const answers = await Promise.all(calls.map(([tool, args]) => inspect(...callOf(tool, args))));
        expect(answers.map(({ code }) => code)).toEqual(calls.map(() => EXIT_TOOL_FAILED));
        expect(answers.map(bodyOf)).toMatchObject([
          { error: { code: -32001 } },
          { ok: false, error: { code: 'NOT_FOUND' } },
          { error: { code: 'BLOCKED' } },
        ]);
      });
    });

interface Inspected {
  readonly code: number | null;
  readonly result: Record<string, unknown>;
}

async function inspectOver(door: 'stdio' | 'http', ...words: string[]): Promise<Inspected> {
  const target =
    door === 'stdio'
      ? [nodeBinary(), binary, 'serve', '--root', workspace.root]
      : [server.url, '--transport', 'http', '--header', `Authorization: Bearer ${server.token}`];
  const { code, stdout, stderr } = await run(node, [launcher, '--cli', ...target, ...words, '--format', 'json'], {
    limitMs: LIMIT_MS,
    // The launcher starts `node` by name.
    env: {
      PATH: [dirname(node), process.env.PATH].join(delimiter),
      HOME: home,
      MCP_INSPECTOR_SECRET_STORE: 'memory',
    },
  });
  expect(stdout, stderr).toContain('"result"');
  return { code, result: JSON.parse(stdout).result };
}

function callOf(tool: string, args: object): string[] {
  return ['--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args)];
}

function bodyOf({ result }: Inspected): unknown {
  return JSON.parse((result.content as { text: string }[])[0]?.text ?? '');
}
