/** The fake Codex says what the real one said: otherwise what is tested with it proves nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { repository } from '../harness/binary';
import { type FakeHome, makeFakeHome } from '../harness/fake-home';
import { startHttpServer } from '../harness/http-server';
import { makeWorkspace } from '../harness/workspace';
import { type Answer, type AppServer, type Frame, startAppServer } from '../long/app-server';
import { run } from '../long/run';
import { startTurn } from './traffic-scenarios';

const folder = join(repository, 'test', 'acp', 'traffic');
const READ_ONLY = { success: true, contentItems: [{ type: 'inputText', text: '{"content":"mine"}' }] };

let home: FakeHome;
const started: AppServer[] = [];
const answered = { answer: (() => READ_ONLY) as Answer };

beforeEach(() => {
  home = makeFakeHome();
  answered.answer = () => READ_ONLY;
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((codex) => codex.stop()));
  home.remove();
});

async function start(): Promise<AppServer> {
  const codex = await startAppServer(home, (request) => answered.answer(request));
  started.push(codex);
  return codex;
}

async function newThread(codex: AppServer, settings: object = {}): Promise<string> {
  const { thread } = await codex.request<{ thread: { id: string } }>('thread/start', { cwd: '/project', ...settings });
  return thread.id;
}

async function turn(codex: AppServer, threadId: string, text: string) {
  const begun = await startTurn(codex, threadId, text);
  const end = await codex.told('turn/completed', (told) => idOf(told.turn) === begun.turn.id);
  return end.turn as { id: string; status: string };
}

const idOf = (value: unknown) => (value as { id: string }).id;

interface Item {
  readonly id: string;
  readonly type: string;
  readonly status: string;
}

function completed(codex: AppServer, type: string): Item[] {
  return codex.frames
    .map(({ frame }) => frame as { method?: string; params?: { item: Item } })
    .flatMap(({ method, params }) => (method === 'item/completed' && params?.item.type === type ? [params.item] : []));
}

describe('a recorded turn', () => {
  const lasting = makeFakeHome();
  let shared: AppServer;
  beforeAll(async () => {
    shared = await startAppServer(lasting, (request) => answered.answer(request));
  });
  afterAll(async () => {
    await shared?.stop();
    lasting.remove();
  });
  const names = readdirSync(folder).map((name) => name.replace('.jsonl', ''));
  const playable = names.filter((name) => {
    const lines = recorded(name);
    const ends = lines.filter(({ frame }) => 'method' in frame && frame.method === 'turn/completed');
    return lines.some(({ frame }) => 'method' in frame && frame.method === 'turn/start') && ends.length === 1;
  });

  it.each(playable.filter((name) => !name.startsWith('interrupt')))('%s is played as it was recorded', async (name) => {
    const lines = recorded(name);
    const replies = lines.flatMap(({ from, frame }) => (from === 'client' && 'result' in frame ? [frame.result] : []));
    answered.answer = () => replies.shift() as object;
    const before = shared.frames.length;
    await turn(shared, await newThread(shared), name);
    expect(turnOf(shared.frames.slice(before))).toEqual(turnOf(lines));
  });
});

it('answers with ids that are its own, and with the folder it was given', async () => {
  const codex = await start();
  const threads = [await newThread(codex), await newThread(codex)];
  expect(new Set(threads).size).toBe(2);
  const ends = [await turn(codex, threads[0] ?? '', 'patch-free'), await turn(codex, threads[0] ?? '', 'message')];
  expect(ends[0]?.id).not.toBe(ends[1]?.id);
  expect(JSON.stringify(codex.frames)).toContain('/project/keep.txt');
  expect(JSON.stringify(codex.frames)).not.toMatch(/\{(cwd|home|folder|thread\d|turn\d|id\d)\}/);
});

it('calls any tool with any arguments, and its item ends with the answer', async () => {
  const codex = await start();
  const threadId = await newThread(codex);
  await turn(codex, threadId, 'call read_text_file {"path":"{cwd}/a.txt"}\ncall hello');
  expect(await codex.told('item/tool/call')).toMatchObject({
    tool: 'read_text_file',
    arguments: { path: '/project/a.txt' },
  });
  expect(completed(codex, 'dynamicToolCall')).toMatchObject([
    { id: 'call_0_0', tool: 'read_text_file', status: 'completed', contentItems: READ_ONLY.contentItems },
    { id: 'call_0_1', tool: 'hello', status: 'completed' },
  ]);
});

it('calls tools together where it is told so', async () => {
  let asked = 0;
  let answerAll: (result: object) => void = () => undefined;
  const both = new Promise<object>((resolve) => {
    answerAll = resolve;
  });
  answered.answer = () => {
    asked += 1;
    if (asked === 2) answerAll(READ_ONLY);
    return both;
  };
  const codex = await start();
  const end = await turn(codex, await newThread(codex), 'together\ncall hello\ncall hello');
  expect(end.status).toBe('completed');
});

it.each([
  ['exec', 'decline', 'commandExecution', ['declined']],
  ['exec', 'accept', 'commandExecution', ['completed']],
  ['patch', 'decline', 'fileChange', ['declined']],
  ['patch', 'accept', 'fileChange', ['completed']],
])('%s goes on as it did after %s', async (prompt, decision, type, statuses) => {
  answered.answer = () => ({ decision });
  const codex = await start();
  await turn(codex, await newThread(codex), prompt);
  expect(completed(codex, type).map(({ status }) => status)).toEqual(statuses);
});

it('ends an interrupted turn, and says of the running call that it failed', async () => {
  answered.answer = () => undefined;
  const codex = await start();
  const threadId = await newThread(codex);
  const begun = await startTurn(codex, threadId, 'call hello');
  await codex.told('item/tool/call');
  await codex.request('turn/interrupt', { threadId, turnId: begun.turn.id });
  expect(await codex.told('turn/completed')).toMatchObject({ turn: { id: begun.turn.id, status: 'interrupted' } });
  expect(completed(codex, 'dynamicToolCall')).toMatchObject([{ tool: 'hello', status: 'failed' }]);
});

it('keeps its threads for another process', async () => {
  const first = await start();
  const threadId = await newThread(first, { cwd: '/one' });
  await turn(first, threadId, 'call hello');
  await turn(first, await newThread(first, { cwd: '/two' }), 'message');
  await first.stop();
  const second = await start();
  const list = await second.request<{ data: { id: string }[] }>('thread/list', { cwd: '/one' });
  expect(list.data.map(({ id }) => id)).toEqual([threadId]);
  const { thread } = await second.request<{ thread: { turns: { items: Item[] }[] } }>('thread/resume', { threadId });
  expect(thread.turns.map(({ items }) => items.map(({ type }) => type))).toEqual([
    ['userMessage', 'dynamicToolCall', 'agentMessage'],
  ]);
  await second.request('thread/delete', { threadId });
  await expect(second.request('thread/resume', { threadId })).rejects.toThrow('no rollout found');
});

it('dies in the middle of a turn, and the thread can be resumed', async () => {
  const codex = await start();
  const threadId = await newThread(codex);
  await startTurn(codex, threadId, 'die').catch(() => undefined);
  await codex.ended;
  const { thread } = await (await start()).request<{ thread: { turns: object[] } }>('thread/resume', { threadId });
  expect(thread.turns).toMatchObject([{ status: 'interrupted' }]);
});

it('says nothing more, even when it is interrupted', async () => {
  const codex = await start();
  const threadId = await newThread(codex);
  const begun = await startTurn(codex, threadId, 'silent');
  void codex.request('turn/interrupt', { threadId, turnId: begun.turn.id }).catch(() => undefined);
  // A later request is answered: so the silence is that turn's, and the interrupt has been read.
  await codex.request('model/list');
  expect(JSON.stringify(codex.frames)).not.toContain('turn/completed');
});

it('calls a server over HTTP where the thread has no dynamic tools', async () => {
  const workspace = makeWorkspace({ 'a.txt': 'one\n' });
  const server = await startHttpServer(['--root', workspace.root]);
  const http_headers = { Authorization: `Bearer ${server.token}` };
  const config = { mcp_servers: { tenon: { url: server.url, http_headers } } };
  try {
    const codex = await start();
    const threadId = await newThread(codex, { cwd: workspace.root, config });
    await turn(
      codex,
      threadId,
      'call read_text_file {"path":"{cwd}/a.txt"}\ncall read_text_file {"path":"{cwd}/b.txt"}',
    );
    expect(completed(codex, 'mcpToolCall')).toMatchObject([
      { server: 'tenon', status: 'completed', result: { content: [{ text: expect.stringContaining('one') }] } },
      { status: 'failed' },
    ]);
  } finally {
    await server.stop();
    workspace.remove();
  }
});

it('logs what it received', async () => {
  const codex = await start();
  await newThread(codex, { environments: [] });
  expect(home.received().map(({ method }) => method)).toEqual(['initialize', 'initialized', 'thread/start']);
  expect(home.received().at(-1)?.params).toEqual({ cwd: '/project', environments: [] });
});

it('tells its version, and knows nothing else', async () => {
  const [program, script] = home.command;
  expect((await run(program, [script, '--version'], { limitMs: 20_000 })).stdout).toBe('codex-cli 0.166.0\n');
  expect((await run(program, [script, 'exec'], { limitMs: 20_000 })).code).toBe(2);
});

function recorded(name: string): Frame[] {
  const text = readFileSync(join(folder, `${name}.jsonl`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Frame);
}

/** What is said from the start of a turn to its end, without what differs from run to run. */
function turnOf(frames: readonly Frame[]): string[] {
  const said = frames.map(({ from, frame }) => ({ from, ...(frame as { method?: string; params?: unknown }) }));
  const begin = said.findIndex(({ method }) => method === 'turn/start');
  const end = said.findIndex(({ method }) => method === 'turn/completed');
  return said
    .slice(begin, end + 1)
    .filter(({ method }) => method !== 'thread/started' && method !== 'warning')
    .filter(({ from, method }) => from === 'server' && method !== undefined)
    .map(({ method, params }) => [method, ...itemOf(params)].join(' '));
}

function itemOf(params: unknown): string[] {
  const { item, delta, status, turn: ended } = params as Record<string, { type?: string; status?: string } | undefined>;
  const { type = '', status: state = '' } = item ?? status ?? ended ?? {};
  return [type, state, typeof delta === 'string' ? delta : ''];
}
