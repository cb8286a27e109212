/** An answer comes after the disk: the system calls of the server, as strace sees them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { type LineClient, openLines } from '../mcp/line-client';

const CALLS = 'fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,mkdir,mkdirat,write';
const CAN_TRACE = spawnSync('strace', ['-f', '-e', 'trace=fsync', 'true']).status === 0;
const REPLACED = ['sync <temporary>', 'rename <temporary> file.txt', 'sync .', 'answer'];

describe.skipIf(!CAN_TRACE)('a call that answered success is on disk', () => {
  let workspace: Workspace;
  let scratch: Workspace;
  let client: LineClient;

  beforeAll(async () => {
    [workspace, scratch] = [makeWorkspace(), makeWorkspace()];
    const under = ['strace', '-f', '-y', '-s', '64', '-o', scratch.path('trace'), '-e', `trace=${CALLS}`];
    // Locks of its own: it would clear up after servers that were killed.
    const env = { XDG_RUNTIME_DIR: scratch.path('run') };
    mkdirSync(env.XDG_RUNTIME_DIR, { mode: 0o700 });
    client = openLines(['serve', '--root', workspace.root, '--approve', 'always'], { under, env });
    await client.initialize();
  });
  afterAll(async () => {
    await client.end();
    for (const place of [workspace, scratch]) place.remove();
  });

  /** What the server did to the workspace for one call, up to the answer. */
  async function stepsOf(name: string, args: object): Promise<string[]> {
    const before = readFileSync(scratch.path('trace'), 'latin1').length;
    const { result } = await client.request('tools/call', { name, arguments: args });
    expect(result?.isError, JSON.stringify(result)).toBeFalsy();
    // The line of the answer is written when the system call returns, which may be after we have read the answer.
    for (;;) {
      const steps = readSteps(readFileSync(scratch.path('trace'), 'latin1').slice(before), workspace.root);
      if (steps.includes('answer')) return steps.slice(0, steps.indexOf('answer') + 1);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  it.each([
    ['write_text_file', (path: string) => ({ path, content: 'old' })],
    ['edit_text_file', (path: string) => ({ path, old_string: 'old', new_string: 'newer' })],
    ['multi_edit_text_file', (path: string) => ({ path, edits: [{ old_string: 'newer', new_string: 'old' }] })],
    ['write_file', () => ({ file: 'file.txt', content: 'older' })],
    ['edit_file', () => ({ file: 'file.txt', find: 'older', replace: 'x' })],
  ] as const)(
    '%s syncs the file before the rename, and the directory before the answer [every.synced]',
    async (name, args) => {
      expect(await stepsOf(name, args(workspace.path('file.txt')))).toEqual(REPLACED);
    },
  );

  it('mkdir, and write_file with parents, sync each directory that got an entry [every.synced]', async () => {
    expect(await stepsOf('mkdir', { dir: 'a/b' })).toEqual(['mkdir a', 'sync .', 'mkdir b', 'sync a', 'answer']);
    expect(await stepsOf('write_file', { file: 'c/d.txt', content: '' })).toEqual([
      'mkdir c',
      'sync .',
      'sync <temporary>',
      'rename <temporary> d.txt',
      'sync c',
      'answer',
    ]);
  });

  it('move_file syncs both directories, delete_file the one [every.synced]', async () => {
    const moved = await stepsOf('move_file', { from: 'c/d.txt', to: 'a/d.txt' });
    expect(moved.slice(-3).sort()).toEqual(['answer', 'sync a', 'sync c']);
    expect(await stepsOf('delete_file', { path: 'a/d.txt' })).toEqual(['unlink d.txt', 'sync a', 'answer']);
    expect((await stepsOf('delete_file', { path: 'a', recursive: true })).slice(-2)).toEqual(['sync .', 'answer']);
  });

  it('write_memory_entry syncs the file, and the directory when the file is new [every.synced]', async () => {
    const first = await stepsOf('write_memory_entry', { file: 'decisions.jsonl', entry: '1' });
    const folder = join('.claude', 'memory');
    expect(first.slice(-3)).toEqual([`sync ${folder}/decisions.jsonl`, `sync ${folder}`, 'answer']);
    expect(await stepsOf('write_memory_entry', { file: 'decisions.jsonl', entry: '2' })).toEqual([
      `sync ${folder}/decisions.jsonl`,
      'answer',
    ]);
  });
});

it.skipIf(!CAN_TRACE)('with --durability fast, only what is large is synced [every.durability-fast]', async () => {
  const [workspace, scratch] = [makeWorkspace(), makeWorkspace()];
  const under = ['strace', '-f', '-o', scratch.path('trace'), '-e', 'trace=fsync'];
  const client = openLines(['serve', '--root', workspace.root, '--durability', 'fast'], { under });
  await client.initialize();
  const syncs: number[] = [];
  for (const megabytes of [1, 15, 17]) {
    const given = { path: workspace.path('file.txt'), content: 'x'.repeat(megabytes * 1_048_576) };
    await client.request('tools/call', { name: 'write_text_file', arguments: given });
    syncs.push(readFileSync(scratch.path('trace'), 'latin1').split('fsync(').length - 1);
  }
  expect(syncs).toEqual([0, 0, 1]);
  await client.end();
  for (const place of [workspace, scratch]) place.remove();
});

describe.skipIf(!CAN_TRACE)('a disk that takes its time', () => {
  it('holds up the call that writes, and no other [every.slow-disk]', async () => {
    const workspace = makeWorkspace();
    const under = ['strace', '-f', '-o', '/dev/null', '-e', 'trace=fsync', '-e', 'inject=fsync:delay_enter=300000'];
    const client = openLines(['serve', '--root', workspace.root], { under });
    await client.initialize();
    for (let round = 1; round <= 3; round++) {
      const params = { name: 'write_file', arguments: { file: 'file.txt', content: `${round}` } };
      const order: string[] = [];
      const writing = client.request('tools/call', params).then(() => order.push('write'));
      await sleep(100);
      await client.request('ping').then(() => order.push('ping'));
      await writing;
      expect(order).toEqual(['ping', 'write']);
    }
    await client.end();
    workspace.remove();
  });

  it('holds up the call that reads, and others for one of its pieces at most [every.slow-disk]', async () => {
    // Six pieces, each of which takes half a second.
    const lines = Array.from({ length: 60_000 }, (_, at) => `line ${at}\n`).join('');
    const workspace = makeWorkspace({ 'large.txt': lines });
    const under = ['strace', '-f', '-o', '/dev/null', '-e', 'trace=pread64', '-e', 'inject=pread64:delay_enter=500000'];
    const client = openLines(['serve', '--root', workspace.root], { under });
    await client.initialize();
    const params = { name: 'edit_file', arguments: { file: 'large.txt', find: 'line 59999\n', replace: 'the end\n' } };
    const editing = client.request('tools/call', params);
    await sleep(100);
    const began = performance.now();
    await client.request('ping');
    expect(performance.now() - began).toBeLessThan(2_000);
    expect((await editing).result?.isError).toBeFalsy();
    expect(workspace.read('large.txt')).toBe(lines.replace('line 59999', 'the end'));
    await client.end();
    workspace.remove();
  });
});

describe.skipIf(!CAN_TRACE)('a server that is killed while it writes', () => {
  it('leaves nothing behind once another has started, though nobody calls that one [every.temporary-files-gone]', async () => {
    const workspace = makeWorkspace({ 'file.txt': 'old\n' });
    const under = ['strace', '-f', '-o', '/dev/null', '-e', 'trace=fsync', '-e', 'inject=fsync:signal=SIGKILL'];
    const killed = openLines(['serve', '--root', workspace.root], { under });
    await killed.initialize();
    const params = { name: 'write_file', arguments: { file: 'file.txt', content: 'new\n' } };
    await killed.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    await killed.exited;
    expect(readdirSync(workspace.root)).toHaveLength(2);
    const next = openLines(['serve', '--root', workspace.root]);
    await next.initialize();
    await expect.poll(() => readdirSync(workspace.root), { timeout: 10_000 }).toEqual(['file.txt']);
    expect(workspace.read('file.txt')).toBe('old\n');
    await next.end();
    workspace.remove();
  });
});

/** The lines of a trace as steps; those outside the workspace (locks, pipes) are left out. */
function readSteps(trace: string, root: string): string[] {
  const unfinished = new Map<string, string>();
  return trace.split('\n').flatMap((line) => {
    const [, pid = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (text.endsWith('<unfinished ...>')) {
      unfinished.set(pid, text.slice(0, -'<unfinished ...>'.length));
      return [];
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text);
    const whole = resumed ? `${unfinished.get(pid)}${resumed[1]}` : text;
    const step = whole.endsWith('= -1 ENOENT (No such file or directory)') ? undefined : stepOf(whole, root);
    return step === undefined ? [] : [step];
  });
}

function stepOf(call: string, root: string): string | undefined {
  if (/^write\(1</.test(call)) return 'answer';
  const synced = /^f(?:data)?sync\(\d+<([^>]+)>\s*\) += 0/.exec(call)?.[1];
  if (synced !== undefined)
    return synced.startsWith(root) ? `sync ${shorten(synced.slice(root.length + 1))}` : undefined;
  const [, verb, names = ''] = /^(\w+?)(?:at2?)?\((.*)\) += 0/.exec(call) ?? [];
  // In a held directory, or in the one where the process stays.
  const paths = [...names.matchAll(/"([^"]*)"/g)].map(([, path = '']) => path.replace(/^\/proc\/self\/fd\/\d+\//, ''));
  if (verb === undefined || paths.length === 0 || paths.some((path) => path.includes('/'))) return undefined;
  return [verb, ...paths.map(shorten)].join(' ');
}

function shorten(name: string): string {
  return name === '' ? '.' : name.replace(/^(?:.*\/)?\.tenon-[0-9a-f]+\.tmp$/, '<temporary>');
}
