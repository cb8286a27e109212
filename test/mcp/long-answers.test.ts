/** Answers that are sent slice by slice. */
import { expect, it } from 'vitest';
import { makeWorkspace } from '../harness/workspace';
import { openLines } from './line-client';

const TEXT = 'const name = "value"; // é 😀 \\n\t\n'.repeat(60_000);

it('stay in one line each, whatever else is asked and answered meanwhile', async () => {
  const workspace = makeWorkspace({ 'a.txt': TEXT, 'b.txt': `b${TEXT}` });
  const client = openLines(['serve', '--root', workspace.root]);
  await client.initialize();
  const read = async (name: string) => {
    const path = `${workspace.root}/${name}`;
    const { result } = await client.request('tools/call', { name: 'read_text_file', arguments: { path } });
    const [{ text }] = (result as { content: [{ text: string }] }).content;
    return (JSON.parse(text) as { content: string }).content;
  };
  const pings = Array.from({ length: 50 }, () => client.request('ping'));
  const texts = await Promise.all([read('a.txt'), read('b.txt'), read('a.txt')]);
  expect(texts.map((text) => text === TEXT || text === `b${TEXT}`)).toEqual([true, true, true]);
  expect((await Promise.all(pings)).map(({ result }) => result)).toEqual(pings.map(() => ({})));
  await client.end();
  workspace.remove();
});

it('are whole when the client ends its side at once', async () => {
  const workspace = makeWorkspace({ 'a.txt': TEXT });
  const client = openLines(['serve', '--root', workspace.root]);
  await client.initialize();
  void client.send({
    jsonrpc: '2.0',
    id: 'read',
    method: 'tools/call',
    params: { name: 'read_text_file', arguments: { path: `${workspace.root}/a.txt` } },
  });
  await expect.poll(() => client.stdout().length).toBeGreaterThan(100_000);
  await client.end();
  const last = client.stdout().trimEnd().split('\n').at(-1) ?? '';
  expect(JSON.parse(JSON.parse(last).result.content[0].text).content).toBe(TEXT);
  workspace.remove();
});

it('are made without WebAssembly where there is none', async () => {
  const workspace = makeWorkspace({ 'a.txt': TEXT });
  const client = openLines(['serve', '--root', workspace.root], { env: { NODE_OPTIONS: '--jitless' } });
  await client.initialize();
  const { result } = await client.request('tools/call', {
    name: 'read_text_file',
    arguments: { path: `${workspace.root}/a.txt` },
  });
  const [{ text }] = (result as { content: [{ text: string }] }).content;
  expect((JSON.parse(text) as { content: string }).content).toBe(TEXT);
  await client.end();
  workspace.remove();
});

it('and long messages are read without it', async () => {
  const workspace = makeWorkspace();
  const client = openLines(['serve', '--root', workspace.root], { env: { NODE_OPTIONS: '--jitless' } });
  await client.initialize();
  const content = 'größe = "漢字"; // 😀\n'.repeat(20_000);
  await client.request('tools/call', {
    name: 'write_text_file',
    arguments: { path: workspace.path('long.txt'), content },
  });
  expect(workspace.read('long.txt') === content).toBe(true);
  await client.end();
  workspace.remove();
});
