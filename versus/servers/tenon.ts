import { cpSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { binary, repository } from '../../test/harness/binary';
import { cache } from '../places';
import type { RunOutcome, RunRequest, Server, Session, ToolResult } from '../server';

/** A copy of all that was built: whoever builds while the trials run must not change what is on trial. */
export const copy = join(cache, 'tenon', 'tenon.cjs');
const RUN_SLACK_MS = 15_000;
const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string };

export const tenon: Server = {
  name: 'tenon',
  version,
  isOurs: true,
  appendPath: '.claude/memory/best_practices.md',
  async prepare() {
    rmSync(dirname(copy), { recursive: true, force: true });
    cpSync(dirname(binary), dirname(copy), { recursive: true });
  },
  command: (root) => ({
    command: process.execPath,
    args: [copy, 'serve', '--root', root, '--approve', 'always', '--log-level', 'error'],
  }),
  tools: () => ({
    read: (file) => ({ tool: 'read_file', args: { file, maxBytes: 1_048_576 } }),
    write: (file, content) => ({ tool: 'write_file', args: { file, content } }),
    edit: (file, { from, to }) => ({ tool: 'edit_file', args: { file, find: from, replace: to } }),
    remove: (path) => ({ tool: 'delete_file', args: { path } }),
    removeTree: (path) => ({ tool: 'delete_file', args: { path, recursive: true } }),
    move: (from, to) => ({ tool: 'move_file', args: { from, to } }),
    makeDirectory: (dir) => ({ tool: 'mkdir', args: { dir } }),
    list: (dir) => ({ tool: 'list_dir', args: { dir } }),
    append: (entry) => ({ tool: 'write_memory_entry', args: { file: 'best_practices.md', entry } }),
  }),
  judge(result: ToolResult) {
    const text = result.content?.[0]?.text ?? '';
    return { ok: result.isError !== true && !text.startsWith('{"ok":false'), text };
  },
  async run({ client }: Session, { script, timeoutMs }: RunRequest): Promise<RunOutcome> {
    const started = performance.now();
    const args = { command: 'node', args: ['-e', script], timeoutMs };
    const answer = await client.request(
      'tools/call',
      { name: 'run_command', arguments: args },
      { limitMs: timeoutMs + RUN_SLACK_MS },
    );
    return { elapsedMs: performance.now() - started, answeredBytes: JSON.stringify(answer).length };
  },
};
