/** Our tools reach Codex by one of two ways; whichever it is, the same happens. */
import { methods } from '@agentclientprotocol/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AcpClient } from '../harness/acp-client';
import { type BridgeStage, call, callsIn, setStage } from '../harness/bridge-stage';

interface ThreadParams {
  readonly dynamicTools?: { readonly name: string; readonly inputSchema: object }[];
  readonly config: { readonly mcp_servers: Readonly<Record<string, Server>> };
}

interface Server {
  readonly url: string;
  readonly http_headers: { readonly Authorization: string };
  readonly tool_timeout_sec: number;
  readonly default_tools_approval_mode: string;
}

const ways = ['dynamic', 'mcp'] as const;
const stages = {} as Record<(typeof ways)[number], BridgeStage>;
const clients = {} as Record<(typeof ways)[number], AcpClient>;

beforeAll(async () => {
  for (const way of ways) {
    stages[way] = setStage({ 'a.txt': 'one\ntwo\n' });
    clients[way] = await stages[way].open({ args: ['--codex-tools', way] });
  }
});
afterEach(() => {
  for (const way of ways) stages[way].expectValid();
});
afterAll(async () => {
  for (const way of ways) await stages[way]?.close();
});

const threadOf = (stage: BridgeStage) => stage.asked('thread/start').at(-1) as unknown as ThreadParams;

it('as dynamic tools, each comes with its schema, and no server does [bridge.tools.dynamic, bridge.tools.never-both]', async () => {
  const { workspace, ...stage } = stages.dynamic;
  const session = await clients.dynamic.newSession(workspace.root);
  const { dynamicTools, config } = threadOf({ workspace, ...stage });
  expect(dynamicTools).toHaveLength(15);
  expect(dynamicTools?.map(({ name }) => name)).toContain('read_text_file');
  expect(dynamicTools?.every(({ inputSchema }) => 'properties' in inputSchema)).toBe(true);
  expect(config.mcp_servers).toEqual({});
  await clients.dynamic.prompt(session, call('read_text_file', { path: '{cwd}/a.txt' }));
  expect(stage.answered().at(-1)).toMatchObject({
    result: { success: true, contentItems: [{ type: 'inputText', text: expect.stringContaining('one\\ntwo') }] },
  });
});

it('as a server, it listens on loopback, and opens to the token of its session only [bridge.tools.mcp, bridge.tools.never-both, bridge.tools.patience]', async () => {
  const { workspace } = stages.mcp;
  await clients.mcp.newSession(workspace.root);
  const first = threadOf(stages.mcp);
  await clients.mcp.newSession(workspace.root);
  const servers = [first, threadOf(stages.mcp)].map(({ config }) => config.mcp_servers.tenon_bridge);
  expect(first.dynamicTools).toBeUndefined();
  const [one, other] = servers;
  if (!one || !other) throw new Error('no server');
  expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  expect(one.http_headers.Authorization).toMatch(/^Bearer [\w-]{43}$/);
  expect(one.http_headers).not.toEqual(other.http_headers);
  // We ask the person ourselves, and Codex must wait for as long as that takes.
  expect(one.default_tools_approval_mode).toBe('approve');
  expect(one.tool_timeout_sec).toBeGreaterThan(3600);
  expect(await statusOf(one.url, one.http_headers.Authorization)).not.toBe(401);
  expect(await statusOf(one.url, other.http_headers.Authorization)).toBe(401);
  expect(await statusOf(one.url, '')).toBe(401);
});

function statusOf(url: string, authorization: string): Promise<number> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return fetch(url, { method: 'POST', headers: { ...headers, Authorization: authorization }, body: '{}' }).then(
    ({ status }) => status,
  );
}

it('both ways tell and answer the same [bridge.tools.same]', async () => {
  const heard = [];
  for (const way of ways) {
    const { workspace } = stages[way];
    const edit = { path: '{cwd}/a.txt', old_string: 'two', new_string: '2' };
    const prompt = [call('edit_text_file', edit), call('edit_text_file', edit), call('list_dir', {})].join('\n');
    const { updates } = await clients[way].prompt(await clients[way].newSession(workspace.root), prompt);
    const ids = new Map<string, number>();
    const place = (text: string) => text.replaceAll(workspace.root, '{cwd}');
    heard.push(callsIn(updates).map((update) => JSON.parse(place(JSON.stringify(renamed(update, ids))))));
  }
  expect(heard[0]).toHaveLength(9);
  expect(heard[0]).toEqual(heard[1]);
});

/** Calls by their order instead of their ids. */
function renamed({ _meta, ...update }: ReturnType<typeof callsIn>[number], ids: Map<string, number>): object {
  if (!ids.has(update.toolCallId)) ids.set(update.toolCallId, ids.size);
  return { ...update, toolCallId: ids.get(update.toolCallId) };
}

describe('--codex-tools auto', () => {
  it('asks Codex, and gives dynamic tools where it knows them [bridge.tools.probed]', async () => {
    const stage = stages.dynamic;
    const client = await stage.open();
    await client.newSession(stage.workspace.root);
    expect(threadOf(stage).dynamicTools).toHaveLength(15);
    await client.stop();
  });

  it('gives the server where it does not, also when the session is taken up [bridge.tools.probed, bridge.tools.never-both]', async () => {
    const stage = stages.mcp;
    const cwd = stage.workspace.root;
    const client = await stage.open({ env: { FAKE_CODEX_LACKS: 'dynamicTools' } });
    const sessionId = await client.newSession(cwd);
    expect(Object.keys(threadOf(stage).config.mcp_servers)).toEqual(['tenon_bridge']);
    await client.agent.request(methods.agent.session.resume, { sessionId, cwd, mcpServers: [] });
    const resumed = stage.asked('thread/resume').at(-1) as unknown as ThreadParams;
    expect(Object.keys(resumed.config.mcp_servers)).toEqual(['tenon_bridge']);
    await client.stop();
  });
});

it('a session keeps the way that it began with [bridge.tools.never-both]', async () => {
  const stage = stages.dynamic;
  const cwd = stage.workspace.root;
  const sessionId = await clients.dynamic.newSession(cwd);
  await clients.dynamic.agent.request(methods.agent.session.close, { sessionId });
  const client = await stage.open({ args: ['--codex-tools', 'mcp'] });
  await client.agent.request(methods.agent.session.resume, { sessionId, cwd, mcpServers: [] });
  const resumed = stage.asked('thread/resume').at(-1) as unknown as ThreadParams;
  expect(resumed.config.mcp_servers).toEqual({});
  const { updates } = await client.prompt(sessionId, call('read_text_file', { path: '{cwd}/a.txt' }));
  expect(callsIn(updates).at(-1)).toMatchObject({ status: 'completed' });
  await client.stop();
});
