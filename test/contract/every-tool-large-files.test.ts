/** Files whose space takes the system a while to free: what is done to them is what is done to small ones. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeWorkspace } from '../harness/workspace';
import { openLines } from '../mcp/line-client';

const CAN_TRACE = spawnSync('strace', ['-f', '-e', 'trace=unlink', 'true']).status === 0;
const LARGE = Buffer.alloc(20 * 1_048_576, 'x');

it.skipIf(!CAN_TRACE)('large files go, and the main thread does not wait for it [every.large-files-gone]', async () => {
  const scratch = makeWorkspace();
  const workspace = makeWorkspace({
    'deleted.txt': LARGE,
    'tree/below/large.txt': LARGE,
    'tree/small.txt': 'x',
    'moved.txt': 'moved',
    'onto.txt': LARGE,
    'written.txt': LARGE,
  });
  const under = ['strace', '-f', '-o', scratch.path('trace'), '-e', 'trace=unlink,rename'];
  const client = openLines(['serve', '--root', workspace.root, '--toolsets', 'workspace'], { under });
  await client.initialize();
  const ask = async (name: string, given: object) => {
    const { result } = await client.request('tools/call', { name, arguments: given });
    return (result as { structuredContent: unknown }).structuredContent;
  };
  expect(await ask('delete_file', { path: 'deleted.txt' })).toMatchObject({ ok: true });
  expect(await ask('delete_file', { path: 'tree', recursive: true })).toMatchObject({ ok: true });
  const move = { from: 'moved.txt', to: 'onto.txt', overwrite: true };
  expect(await ask('move_file', move)).toMatchObject({ ok: true });
  expect(await ask('write_file', { file: 'written.txt', content: 'new' })).toMatchObject({ ok: true });
  expect(readdirSync(workspace.root).sort()).toEqual(['onto.txt', 'written.txt']);
  expect([workspace.read('onto.txt'), workspace.read('written.txt')]).toEqual(['moved', 'new']);

  const lines = readFileSync(scratch.path('trace'), 'latin1').split('\n');
  const threadOf = (what: RegExp) => Number(lines.find((line) => what.test(line))?.split(' ')[0]);
  const main = threadOf(/unlink\(.*small\.txt/);
  expect(main).toBeGreaterThan(0);
  for (const what of [/unlink\(.*deleted\.txt/, /unlink\(.*large\.txt/, /rename\(.*moved\.txt/])
    expect([main, Number.NaN], String(what)).not.toContain(threadOf(what));
  await client.end();
  for (const place of [workspace, scratch]) place.remove();
});
