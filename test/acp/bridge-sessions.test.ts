/** Sessions over their whole life, also across restarts of the agent. */
import { type McpServer, methods } from '@agentclientprotocol/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AcpClient } from '../harness/acp-client';
import { type BridgeStage, call, callsIn, lastCall, setStage, textsIn } from '../harness/bridge-stage';

let stage: BridgeStage;
let client: AcpClient;
let cwd: string;

beforeAll(async () => {
  stage = setStage({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n' });
  cwd = stage.workspace.root;
  client = await stage.open();
});
afterEach(() => stage.expectValid());
afterAll(() => stage?.close());

const { session } = methods.agent;
const READ = call('read_text_file', { path: '{cwd}/a.txt' });

it('a new one is a new thread, and has its id [bridge.session.new]', async () => {
  const [one, other] = [await client.newSession(cwd), await client.newSession(cwd)];
  expect(one).not.toBe(other);
  await client.prompt(one, 'message');
  expect(stage.asked('turn/start').at(-1)).toMatchObject({ threadId: one });
});

it('its folders are the roots, of Codex and of our tools [bridge.session.roots]', async () => {
  const other = setStage({ 'c.txt': 'three\n' });
  const additionalDirectories = [other.workspace.root];
  const sub = stage.workspace.path('sub');
  const { sessionId } = await client.agent.request(session.new, { cwd: sub, additionalDirectories, mcpServers: [] });
  expect(stage.asked('thread/start').at(-1)).toMatchObject({
    cwd: sub,
    runtimeWorkspaceRoots: [sub, other.workspace.root],
  });
  const ends = [];
  for (const path of [`${sub}/b.txt`, other.workspace.path('c.txt'), stage.workspace.path('a.txt')])
    ends.push(lastCall((await client.prompt(sessionId, call('read_text_file', { path }))).updates)?.status);
  expect(ends).toEqual(['completed', 'completed', 'failed']);
  expect(stage.asked('turn/start').at(-1)).toMatchObject({
    sandboxPolicy: { writableRoots: [sub, other.workspace.root] },
  });
  await other.close();
});

it.each(['relative', '/no/such/folder'])(
  'a folder that cannot be served is refused: %s [bridge.session.roots]',
  async (folder) => {
    await expect(client.newSession(folder)).rejects.toMatchObject({ code: -32602 });
  },
);

it('MCP servers of the client are handed on, each under a name of its own [bridge.session.servers]', async () => {
  const mcpServers: McpServer[] = [
    { name: 'files', command: 'serve', args: ['-x'], env: [{ name: 'KEY', value: 'v' }] },
    { type: 'http', name: 'a server', url: 'http://127.0.0.1:1/', headers: [{ name: 'X-Key', value: 'k' }] },
    { name: 'a_server', command: 'other', args: [], env: [] },
    { name: 'tenon_bridge', command: 'mine', args: [], env: [] },
  ];
  await client.agent.request(session.new, { cwd, mcpServers });
  const servers = {
    files: { command: 'serve', args: ['-x'], env: { KEY: 'v' } },
    a_server: { url: 'http://127.0.0.1:1/', http_headers: { 'X-Key': 'k' } },
    a_server_2: { command: 'other', args: [], env: {} },
    tenon_bridge_2: { command: 'mine', args: [], env: {} },
  };
  expect(stage.asked('thread/start').at(-1)).toMatchObject({ config: { mcp_servers: servers } });
});

it('two work side by side, and each hears of its own calls only [bridge.session.apart]', async () => {
  const [one, other] = [await client.newSession(cwd), await client.newSession(cwd)];
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  client.editor.beforeRead = () => held;
  const waiting = client.prompt(one, READ);
  await client.told(one, ({ sessionUpdate }) => sessionUpdate === 'tool_call_update');
  const { updates } = await client.prompt(other, 'message');
  expect(callsIn(updates)).toEqual([]);
  letGo();
  expect(lastCall((await waiting).updates)).toMatchObject({ status: 'completed' });
  client.editor.beforeRead = () => {};
});

describe('one that was worked in before the restart', () => {
  let sessionId: string;
  let before: Awaited<ReturnType<AcpClient['prompt']>>['updates'];
  beforeEach(async () => {
    sessionId = await client.newSession(cwd);
    before = (await client.prompt(sessionId, READ)).updates;
    await client.leave();
    client = await stage.open();
  });

  it('is loaded, with all that was said in it, and goes on [bridge.session.load]', async () => {
    const answer = await client.agent.request(session.load, { sessionId, cwd, mcpServers: [] });
    expect(answer).toMatchObject({ modes: { currentModeId: 'agent' }, configOptions: expect.any(Array) });
    const told = client.updates(sessionId);
    const asked = told.find(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk');
    expect(asked).toMatchObject({ content: { type: 'text', text: READ } });
    expect(textsIn(told)).toBe(textsIn(before));
    const [replayed, ...more] = callsIn(told);
    expect(more).toEqual([]);
    expect(replayed).toMatchObject({
      toolCallId: callsIn(before)[0]?.toolCallId,
      status: 'completed',
      rawOutput: { content: 'one\n' },
    });
    const { stopReason, updates } = await client.prompt(sessionId, READ);
    expect({ stopReason, end: lastCall(updates)?.status }).toEqual({ stopReason: 'end_turn', end: 'completed' });
  });

  it('is resumed without telling it again [bridge.session.resume]', async () => {
    await client.agent.request(session.resume, { sessionId, cwd, mcpServers: [] });
    expect(stage.asked('thread/resume').at(-1)).toMatchObject({ threadId: sessionId, cwd, excludeTurns: true });
    const { updates } = await client.prompt(sessionId, READ);
    expect(lastCall(updates)).toMatchObject({ status: 'completed' });
    expect(client.updates(sessionId).some(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk')).toBe(false);
  });

  it('is listed, until it is deleted [bridge.session.list, bridge.session.delete]', async () => {
    const list = async (folder: string | undefined) =>
      (await client.agent.request(session.list, folder ? { cwd: folder } : {})).sessions.map((one) => one.sessionId);
    expect((await list(cwd))[0]).toBe(sessionId);
    expect(await list(undefined)).toContain(sessionId);
    expect(await list('/elsewhere')).toEqual([]);
    await client.agent.request(session.delete, { sessionId });
    expect(await list(cwd)).not.toContain(sessionId);
    await expect(client.agent.request(session.load, { sessionId, cwd, mcpServers: [] })).rejects.toThrow(/no rollout/);
  });
});

it('a closed one is gone from the agent, and its thread stays [bridge.session.close]', async () => {
  const sessionId = await client.newSession(cwd);
  await client.prompt(sessionId, 'message');
  await client.agent.request(session.close, { sessionId });
  expect(stage.asked('thread/unsubscribe').at(-1)).toEqual({ threadId: sessionId });
  await expect(client.prompt(sessionId, 'message')).rejects.toMatchObject({ code: -32002 });
  await client.agent.request(session.load, { sessionId, cwd, mcpServers: [] });
  expect((await client.prompt(sessionId, 'message')).stopReason).toBe('end_turn');
});

it('a second prompt in one is refused while the first is worked on [bridge.session.apart]', async () => {
  const sessionId = await client.newSession(cwd);
  const first = client.prompt(sessionId, 'silent');
  await expect(client.prompt(sessionId, 'message')).rejects.toMatchObject({ code: -32600 });
  await client.cancel(sessionId);
  expect((await first).stopReason).toBe('cancelled');
});
