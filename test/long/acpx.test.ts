/** acpx, a client that we did not write, with the bridge, the real Codex and a scripted model. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { binary } from '../harness/binary';
import { descendants, remaining } from '../harness/processes';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { BYE, says, toolCall } from './acp-stage';
import { type CodexHome, makeCodexHome } from './codex-home';
import { ACPX, CODEX, install, node24 } from './foreign';
import { killGroup } from './run';
import { type ScriptedModel, startScriptedModel } from './scripted-model';

interface Line {
  readonly method?: string;
  readonly params?: { readonly update?: { readonly sessionUpdate: string; readonly status?: string } };
  readonly result?: { readonly stopReason?: string };
}

interface Ended {
  readonly code: number | null;
  /** Everything that went over the wire, in both directions. */
  readonly lines: Line[];
  readonly left: number[];
}

const LIMIT_MS = 60_000;
let workspace: Workspace;
let model: ScriptedModel;
let home: CodexHome;
let programs: { node: string; acpx: string; codex: string };

beforeAll(async () => {
  const [acpx, codex] = [await install(ACPX), await install(CODEX)];
  programs = {
    node: await node24(),
    acpx: join(acpx, 'dist', 'cli.js'),
    codex: join(codex, 'bin', 'codex.js'),
  };
});
beforeEach(async () => {
  workspace = makeWorkspace({ 'a.txt': 'a-secret\n' });
  const path = workspace.path('a.txt');
  model = await startScriptedModel({
    look: [says(toolCall('dynamic', 'read_text_file', { path })), BYE],
    write: [says(toolCall('dynamic', 'write_text_file', { path, content: 'changed\n' })), BYE],
    remove: [says(toolCall('dynamic', 'delete_file', { path: 'a.txt' })), BYE],
    wait: [{ hang: [{ say: ['Half'] }] }],
  });
  home = await makeCodexHome({ modelUrl: model.url });
});
afterEach(async () => {
  await model?.stop();
  home?.remove();
  workspace?.remove();
});

it('asks for what it was told to ask, and shows the call from its beginning to its end', async () => {
  const { code, lines } = await acpx(['--approve-all'], 'look');
  expect(code).toBe(0);
  expect(lines.map(({ method }) => method)).toContain('fs/read_text_file');
  expect(statuses(lines)).toEqual(['pending', 'in_progress', 'completed']);
  expect(lines.at(-1)?.result).toEqual({ stopReason: 'end_turn' });
  expect(model.outputs('look')[0]).toContain('a-secret');
});

it('writes through it where everything is approved', async () => {
  expect((await acpx(['--approve-all'], 'write')).code).toBe(0);
  expect(workspace.read('a.txt')).toBe('changed\n');
});

it.each(['look', 'write'])('does nothing behind its back where everything is denied: %s', async (word) => {
  const { code, lines } = await acpx(['--deny-all'], word);
  // Its own number for a permission that was denied.
  expect(code).toBe(5);
  expect(statuses(lines).at(-1)).toBe('failed');
  expect(workspace.read('a.txt')).toBe('a-secret\n');
  expect(JSON.stringify(model.requests())).not.toContain('a-secret');
});

it.each([
  ['--approve-all', false],
  ['--deny-all', true],
])('asks it before a file is deleted, in a mode that asks: %s', async (policy, isThere) => {
  const { lines } = await acpx([policy], 'remove', ['--mode', 'editor-only']);
  expect(lines.map(({ method }) => method)).toContain('session/request_permission');
  expect(existsSync(workspace.path('a.txt'))).toBe(isThere);
});

it('reads the disk itself where it says that it has no files', async () => {
  const { code, lines } = await acpx(['--approve-all', '--no-fs'], 'look');
  expect(code).toBe(0);
  expect(lines.map(({ method }) => method)).not.toContain('fs/read_text_file');
  expect(model.outputs('look')[0]).toContain('a-secret');
});

it('stops when it is told to, and leaves no process', async () => {
  const { lines, left } = await acpx(['--approve-all'], 'wait', [], async (interrupt) => {
    await model.hanging();
    interrupt();
  });
  expect(lines.map(({ method }) => method)).toContain('session/cancel');
  expect(lines.at(-1)?.result).toEqual({ stopReason: 'cancelled' });
  expect(left).toEqual([]);
});

async function acpx(
  flags: readonly string[],
  prompt: string,
  agentArgs: readonly string[] = [],
  during?: (interrupt: () => void) => Promise<void>,
): Promise<Ended> {
  const agent = [process.execPath, binary, 'acp', ...agentArgs].join(' ');
  const options = ['--agent', agent, '--cwd', workspace.root, '--format', 'json', ...flags];
  const child = spawn(programs.node, [programs.acpx, ...options, 'exec', prompt], {
    env: { ...home.env, CODEX_PATH: programs.codex },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const limit = setTimeout(() => killGroup(child.pid), LIMIT_MS);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const closed = once(child, 'close');
  let started: number[] = [];
  await during?.(() => {
    started = descendants(child.pid ?? 0);
    child.kill('SIGINT');
  });
  const [code] = (await closed) as [number | null];
  clearTimeout(limit);
  const lines = said
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);
  return { code, lines, left: await remaining(started) };
}

function statuses(lines: readonly Line[]): string[] {
  return lines.flatMap(({ params }) => (params?.update?.status === undefined ? [] : [params.update.status]));
}
