/**
 * What the bridge adds to a call of a tool: the real Codex with a scripted model makes one call after the other; a tap
 * at Codex's pipe takes the time of each, and the log has the time of the tool itself. Prints the difference.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';
import { makeCodexHome } from '../test/long/codex-home';
import { startScriptedModel } from '../test/long/scripted-model';
import { ms } from './timing';

const CALLS = 100;
const LIMIT_MS = 5;

const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-'));
const [file, tap, log] = ['a.txt', 'tap.jsonl', 'log.jsonl'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const text = Array.from({ length: 30 }, (_, at) => `line ${at} of a file of about a kilobyte\n`).join('');
const buffers = new Map([[file, text]]);

const reads = Array.from({ length: CALLS }, () => call('read_text_file', { path: file }));
const edits = Array.from({ length: CALLS }, (_, at) =>
  call('edit_text_file', {
    path: file,
    old_string: at % 2 === 0 ? 'line 7 of' : 'LINE 7 of',
    new_string: at % 2 === 0 ? 'LINE 7 of' : 'line 7 of',
  }),
);

const model = await startScriptedModel([...reads, ...edits]);
const home = await makeCodexHome({ modelUrl: model.url });
try {
  writeFileSync(file, text);
  await converse();
  report();
} finally {
  await model.stop();
  home.remove();
  rmSync(folder, { recursive: true, force: true });
}

async function converse(): Promise<void> {
  const child = spawn(process.execPath, ['dist/tenon.cjs', 'acp', '--log-file', log], {
    env: {
      ...home.env,
      CODEX_PATH: join(process.cwd(), 'bench', 'codex-tap.mjs'),
      CODEX_TAP: tap,
      CODEX_TAPPED: home.command[1],
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const editor = client({ name: 'bench' })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => {
      const content = buffers.get(params.path);
      if (content === undefined) throw RequestError.resourceNotFound(params.path);
      return { content };
    })
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      buffers.set(params.path, params.content);
      return {};
    })
    .onNotification(methods.client.session.update, () => {});
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
  await editor.connectWith(stream, async (agent) => {
    const fs = { readTextFile: true, writeTextFile: true };
    await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: { fs } });
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] });
    await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: 'go' }] });
  });
  child.stdin.end();
  await once(child, 'exit');
}

function report(): void {
  const atCodex = linesOf<{ tool: string; ms: number }>(tap);
  const inTool = linesOf<{ tool?: string; ms: number }>(log).filter(({ tool }) => tool !== undefined);
  if (atCodex.length !== 2 * CALLS || inTool.length !== 2 * CALLS)
    throw new Error(`expected ${2 * CALLS} calls, got ${atCodex.length} at Codex and ${inTool.length} in the log`);
  process.stdout.write('tool                  at Codex     in the tool    added (median, p95)\n');
  let isOver = false;
  for (const tool of ['read_text_file', 'edit_text_file']) {
    const whole = atCodex.filter((line) => line.tool === tool).map((line) => line.ms);
    const own = inTool.filter((line) => line.tool === tool).map((line) => line.ms);
    const added = whole.map((time, at) => time - (own[at] ?? 0));
    isOver ||= middle(added) > LIMIT_MS;
    process.stdout.write(
      `${tool.padEnd(18)} ${ms(middle(whole))} ms   ${ms(middle(own))} ms   ${ms(middle(added))} ms ${ms(tail(added))} ms\n`,
    );
  }
  if (isOver) process.exitCode = 1;
}

function call(name: string, args: object) {
  return { items: [{ call: name, arguments: args }] };
}

function linesOf<T>(path: string): T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function tail(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
}
