/** The essentials on the newest Node.js that we support: every way in, and a tool of each toolset. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeBinary } from '../harness/binary';
import { eachWay } from '../harness/each-way';
import { node24 } from './foreign';

const usual = process.env.TENON_TEST_NODE;
beforeAll(async () => {
  process.env.TENON_TEST_NODE = await node24();
});
afterAll(() => {
  if (usual === undefined) delete process.env.TENON_TEST_NODE;
  else process.env.TENON_TEST_NODE = usual;
});

it('is Node.js 24', () => {
  expect(execFileSync(nodeBinary(), ['--version'], { encoding: 'utf8' })).toMatch(/^v24\./);
});

const elicit = () => ({ action: 'accept' as const, content: { approve: true } });

eachWay('on Node.js 24', { elicit }, (stage) => {
  it('lists the fifteen tools', async () => {
    expect(await stage.client.tools()).toHaveLength(15);
  });

  it('writes, edits and reads a text file', async () => {
    const path = stage.workspace.path('a.txt');
    await stage.client.call('write_text_file', { path, content: 'one\r\ntwo\r\n' });
    await stage.client.call('edit_text_file', { path, old_string: 'two', new_string: '2' });
    expect(await stage.client.call('read_text_file', { path, line: 2 })).toMatchObject({ content: '2\r\n' });
    expect(stage.workspace.read('a.txt')).toBe('one\r\n2\r\n');
  });

  it('lists a directory and runs a program in it', async () => {
    stage.workspace.write('dir/b.txt', 'b');
    expect(await stage.client.call('list_dir', { dir: 'dir' })).toMatchObject({
      ok: true,
      data: { entries: [{ path: 'dir/b.txt', type: 'file', size: 1 }] },
    });
    const args = ['-p', 'process.cwd()'];
    expect(await stage.client.call('run_command', { command: 'node', args, cwd: 'dir' })).toMatchObject({
      ok: true,
      data: { exitCode: 0, stdout: `${stage.workspace.path('dir')}\n` },
    });
  });

  it('greets, and appends a memory entry that was approved', async () => {
    expect(await stage.client.call('hello', {})).toMatchObject({ message: 'Hello, World!' });
    const entry = { file: 'best_practices.md', entry: 'Measure before tuning.' };
    expect(await stage.client.call('write_memory_entry', entry)).toMatchObject({ success: true });
    expect(stage.workspace.read('.claude/memory/best_practices.md')).toBe('Measure before tuning.\n');
  });

  it('refuses to leave the root', async () => {
    expect(await stage.client.call('read_file', { file: '../../etc/passwd' })).toMatchObject({ ok: false });
  });
});
