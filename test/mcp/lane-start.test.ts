/** What is loaded, and when: a client that opens a conversation waits for nothing that it does not need. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
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

it.each([[[]], [['--read-only']], [['--toolsets', 'editor']], [['--toolsets', 'repo,workspace', '--read-only']]])(
  'lists, before the tools are loaded, exactly those that can be called (%j)',
  async (flags) => {
    const client = openLines(['serve', ...flags]);
    const { result: opened } = await client.initialize();
    const { result } = await client.request('tools/list');
    const names = (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
    const { error } = await client.request('tools/call', { name: 'nobody_has_this', arguments: {} });
    expect(error?.message).toBe(`Unknown tool: nobody_has_this. Tools here: ${names.join(', ')}`);
    for (const name of names) expect(opened?.instructions).toContain(name);
    await client.end();
  },
);

it('loads the tools when the client has their list', async () => {
  const client = openLines(['serve'], TELLING);
  await client.initialize();
  expect(client.stderr()).not.toContain('engine.cjs');
  await client.request('tools/list');
  await expect.poll(() => client.stderr()).toMatch(/load.*engine\.cjs/);
  await client.end();
});

it('says why when the root is gone before the first call, and goes on when it is back', async () => {
  const workspace = makeWorkspace({ 'a.txt': 'x' });
  const client = openLines(['serve', '--root', workspace.root]);
  await client.initialize();
  const read = () => client.request('tools/call', { name: 'read_file', arguments: { file: 'a.txt' } });
  rmSync(workspace.root, { recursive: true });
  expect((await read()).error?.message).toBe(`There is no directory ${workspace.root}`);
  mkdirSync(workspace.root);
  writeFileSync(`${workspace.root}/a.txt`, 'y');
  expect((await read()).result?.content).toMatchObject([{ text: expect.stringContaining('"content":"y"') }]);
  await client.end();
  workspace.remove();
});
