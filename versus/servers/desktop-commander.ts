import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install } from '../install';
import { cache } from '../places';
import type { RunOutcome, RunRequest, Server, Session, ToolResult } from '../server';
import { toolPath } from '../tool-path';

const PACKAGE = '@wonderwhy-er/desktop-commander';
const VERSION = '0.2.52';
const APPEND_PATH = 'd/log.md';
const RUN_SLACK_MS = 15_000;
let entry = '';

/** Telemetry off, flags from nowhere, a home of its own. It has no tool to delete. */
export const desktopCommander: Server = {
  name: 'desktop-commander',
  version: VERSION,
  isOurs: false,
  isSlow: true,
  appendPath: APPEND_PATH,
  async prepare() {
    const modules = await install({
      folder: `desktop-commander-${VERSION}`,
      dependencies: { [PACKAGE]: VERSION },
      overrides: { 'typedarray.prototype.slice': '1.0.5' },
    });
    entry = join(modules, PACKAGE, 'dist', 'index.js');
  },
  command: (root, { home, env, blocked, leaked } = {}) => ({
    command: process.execPath,
    args: [entry, '--no-onboarding'],
    env: {
      HOME: makeHome(root, { home, blocked }),
      DESKTOP_COMMANDER_DISABLE_TELEMETRY: '1',
      DC_FLAG_URL: 'http://127.0.0.1:9/',
      PATH: pathWithoutShims(),
      ...env,
    },
    ...(leaked === undefined ? {} : { leaked }),
  }),
  tools: (root) => ({
    read: (path) => ({ tool: 'read_file', args: { path: toolPath(root, path) } }),
    write: (path, content) => ({ tool: 'write_file', args: { path: toolPath(root, path), content, mode: 'rewrite' } }),
    edit: (path, { from, to }) => ({
      tool: 'edit_block',
      args: { file_path: toolPath(root, path), old_string: from, new_string: to },
    }),
    move: (from, to) => ({
      tool: 'move_file',
      args: { source: toolPath(root, from), destination: toolPath(root, to) },
    }),
    makeDirectory: (path) => ({ tool: 'create_directory', args: { path: toolPath(root, path) } }),
    list: (path) => ({ tool: 'list_directory', args: { path: toolPath(root, path), depth: 1 } }),
    append: (line) => ({
      tool: 'write_file',
      args: { path: toolPath(root, APPEND_PATH), content: `${line}\n`, mode: 'append' },
    }),
  }),
  judge(result: ToolResult) {
    const text = (result.content ?? []).map((block) => block.text ?? '').join('\n');
    // Failed edits are not marked as errors; they are told in words.
    return { ok: result.isError !== true && !FAILED_EDIT.test(text), text };
  },
  async run({ client }: Session, request: RunRequest): Promise<RunOutcome> {
    const started = performance.now();
    const { timeoutMs, cwd } = request;
    const line = [request.command, ...request.args.map(quote)].join(' ');
    const command = cwd === undefined ? line : `cd ${quote(cwd)} && ${line}`;
    const begun = await client.request(
      'tools/call',
      { name: 'start_process', arguments: { command, timeout_ms: timeoutMs } },
      { limitMs: timeoutMs + RUN_SLACK_MS },
    );
    const said = JSON.stringify(begun);
    // Its time-out only ends the waiting; the tool to end the program is another.
    const pid = Number(/PID (\d+)/.exec(said)?.[1]);
    if (pid > 0) await client.request('tools/call', { name: 'force_terminate', arguments: { pid } });
    return { elapsedMs: performance.now() - started, answeredBytes: said.length, text: said };
  },
};

const FAILED_EDIT = /^(?:Search content not found|Expected \d+ occurrences|Empty search|Exact match not found|Error:)/;

/** A fresh one for each start: the lock on its settings outlives a killed server and would keep the next one away. */
function makeHome(
  root: string,
  {
    home = join(cache, 'homes', randomBytes(6).toString('hex')),
    blocked,
  }: { home?: string | undefined; blocked?: readonly string[] | undefined },
): string {
  const folder = join(home, '.claude-server-commander');
  mkdirSync(folder, { recursive: true });
  const settings = {
    telemetryEnabled: false,
    allowedDirectories: [root],
    defaultShell: '/bin/sh',
    fileWriteLineLimit: 100_000,
    ...(blocked ? { blockedCommands: blocked } : {}),
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
  return home;
}

/** It asks for the version of python3 at every call, which takes a shim half a second; that is not its fault. */
function pathWithoutShims(): string {
  return (process.env.PATH ?? '')
    .split(':')
    .filter((directory) => !directory.endsWith('/shims'))
    .join(':');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
