/** What is loaded, and when: a client that opens a conversation waits for nothing that it does not need. */
import { expect, it } from 'vitest';
import { makeWorkspace } from '../harness/workspace';
import { modernMeta, openLines } from './line-client';

/** Node says on stderr what it loads. */
const TELLING = { env: { NODE_DEBUG: 'module' } };
const PACKAGES = ['zod.cjs', 'sdk.cjs', 'pino.cjs'];
const BUILTINS = ['child_process', 'crypto', 'http', 'net', 'vm', 'worker_threads', 'readline'];

function loaded(stderr: string): string[] {
  return [...PACKAGES, ...BUILTINS].filter((name) =>
    new RegExp(`load.*[/ :"]${name.replace('.', '\\.')}\\b`).test(stderr),
  );
}

it('answers the opening and the list of tools with nothing else loaded', async () => {
  const client = openLines(['serve'], TELLING);
  await client.initialize();
  await client.request('ping');
  await client.request('tools/list');
  expect(client.stderr()).toMatch(/load.*tenon\.cjs/);
  expect(loaded(client.stderr())).toEqual([]);
  await client.end();
});

it('does so for the newest revision too', async () => {
  const client = openLines(['serve'], TELLING);
  await client.request('server/discover', { _meta: modernMeta() });
  await client.request('tools/list', { _meta: modernMeta() });
  expect(loaded(client.stderr())).toEqual([]);
  await client.end();
});

it('loads the log with the first call, zod with the first wrong argument, and the SDK with the first doubt', async () => {
  const workspace = makeWorkspace({ 'a.txt': 'x' });
  const client = openLines(['serve', '--root', workspace.root], TELLING);
  const call = (args: object) => client.request('tools/call', { name: 'read_file', arguments: args });
  const loads = async () => expect.poll(() => loaded(client.stderr()).filter((name) => PACKAGES.includes(name)));
  await client.initialize();
  await call({ file: 'a.txt' });
  await (await loads()).toEqual(['pino.cjs']);
  await call({ file: 7 });
  await (await loads()).toEqual(['zod.cjs', 'pino.cjs']);
  await client.request('logging/setLevel', { level: 'info' });
  await (await loads()).toEqual(['zod.cjs', 'sdk.cjs', 'pino.cjs']);
  await client.end();
  workspace.remove();
});
