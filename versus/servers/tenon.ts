import { cpSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { binary, repository } from '../../test/harness/binary';
import { startHttpServer } from '../../test/harness/http-server';
import { cache } from '../places';
import type { RunOutcome, RunRequest, Server, Session, ToolResult } from '../server';
import { toolPath } from '../tool-path';

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
  command: (root, { home, env, allowed = [], network, leaked } = {}) => ({
    command: process.execPath,
    args: [
      ...[copy, 'serve', '--root', root, '--approve', 'always', '--log-level', 'error'],
      ...allowed.flatMap((name) => ['--allow-command', name]),
      ...(network ? ['--sandbox-network', network] : []),
    ],
    env: { ...(home === undefined ? {} : { HOME: home, XDG_CACHE_HOME: '' }), ...env },
    ...(leaked === undefined ? {} : { leaked }),
  }),
  tools: () => ({
    readGuarded: (path) => ({ tool: 'read_repo_file', args: { path } }),
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
  otherTools: (root) => ({
    write: (path, content) => ({ tool: 'write_text_file', args: { path: toolPath(root, path), content } }),
    edit: (path, { from, to }) => ({
      tool: 'edit_text_file',
      args: { path: toolPath(root, path), old_string: from, new_string: to },
    }),
  }),
  judge(result: ToolResult) {
    const text = result.content?.[0]?.text ?? '';
    return { ok: result.isError !== true && !text.startsWith('{"ok":false'), text };
  },
  async run({ client }: Session, { command, args, timeoutMs }: RunRequest): Promise<RunOutcome> {
    const started = performance.now();
    const answer = await client.request(
      'tools/call',
      { name: 'run_command', arguments: { command, args, timeoutMs } },
      { limitMs: timeoutMs + RUN_SLACK_MS },
    );
    const said = JSON.stringify(answer);
    return { elapsedMs: performance.now() - started, answeredBytes: said.length, text: printed(answer) };
  },
  http: {
    start: (root, { secured = true } = {}) =>
      startHttpServer(['--root', root, '--log-level', 'error'], secured ? {} : { TENON_TOKEN: '' }),
    exposed: (root) => ({ command: process.execPath, args: [copy, 'serve', '--root', root, '--http', '0.0.0.0:0'] }),
  },
};

/** The result repeats the command, so that the output has to be taken out of it. */
function printed(answer: unknown): string {
  const text = (answer as ToolResult).content?.[0]?.text ?? '';
  const { data } = JSON.parse(text) as { data?: { stdout: string; stderr: string } };
  return data ? data.stdout + data.stderr : text;
}
