/** The fast lane of the HTTP door says what the SDK alone would say: the same requests, sent to both. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleCalls, writeSampleFiles } from '../contract/sample-calls';
import { type HttpServer, startHttpServer } from '../harness/http-server';
import { makeWorkspace, type Workspace } from '../harness/workspace';

interface Side {
  readonly workspace: Workspace;
  readonly server: HttpServer;
  session: string;
}

const FLAGS = ['--approve', 'always', '--tool-errors', 'rpc'];
const OPENING = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'by-hand', version: '1' } };
const HELLO = { name: 'hello', arguments: { name: 'Ada' } };

let sides: readonly Side[];
beforeAll(async () => {
  sides = await Promise.all(
    [[], ['--sdk-only']].map(async (flags) => {
      const workspace = makeWorkspace();
      writeSampleFiles(workspace);
      const server = await startHttpServer(['--root', workspace.root, ...FLAGS, ...flags]);
      const side: Side = { workspace, server, session: '' };
      const opened = await post(side, request(0, 'initialize', OPENING));
      side.session = opened.headers.get('mcp-session-id') ?? '';
      return side;
    }),
  );
});
afterAll(async () => {
  for (const { server, workspace } of sides) {
    await server.stop();
    workspace.remove();
  }
});

function request(id: unknown, method: string, params?: object) {
  return { jsonrpc: '2.0', id, method, params };
}

function post({ server, session }: Side, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const usual = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Authorization: `Bearer ${server.token}`,
    ...(session !== '' && { 'Mcp-Session-Id': session }),
  };
  return fetch(server.url, { method: 'POST', headers: { ...usual, ...headers }, body: JSON.stringify(body) });
}

/** Sends to both what is made for each, and expects one answer. */
async function expectSame(make: (side: Side) => unknown, headers?: Record<string, string>): Promise<void> {
  const [lane, sdk] = await Promise.all(
    sides.map(async (side) => {
      const response = await post(side, make(side), headers);
      const text = (await response.text()).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
      const { date: _, ...head } = Object.fromEntries(response.headers);
      return JSON.parse(
        JSON.stringify({ status: response.status, head, events: text.split('\n').map(data) })
          .replaceAll(side.workspace.root, '<root>')
          .replaceAll(side.session, '<session>'),
      ) as unknown;
    }),
  );
  expect(lane).toEqual(sdk);
}

function data(line: string): unknown {
  return line.startsWith('data: {') ? JSON.parse(line.slice(6)) : line;
}

it('every tool, its success and its failure', async () => {
  for (const at of sampleCalls({ root: '', path: (name) => name }).keys())
    for (const way of ['succeeds', 'fails'] as const)
      await expectSame(({ workspace }) => {
        const sample = sampleCalls(workspace)[at];
        return request(`${at}-${way}`, 'tools/call', { name: sample?.tool, arguments: sample?.[way] });
      });
});

it.each([
  ['no arguments', { name: 'hello' }],
  ['a wrong argument', { name: 'hello', arguments: { name: 7 } }],
  ['an unknown tool', { name: 'nope', arguments: {} }],
  ['arguments that are a list', { name: 'hello', arguments: [] }],
  ['no name', {}],
  ['more than a call has', { ...HELLO, task: {} }],
  ['a token for progress', { ...HELLO, _meta: { progressToken: 'p' } }],
  ['something in _meta', { ...HELLO, _meta: { note: 1 } }],
  ['a claim of another revision', { ...HELLO, _meta: { 'io.modelcontextprotocol/protocolVersion': '2025-06-18' } }],
  ['permission denied', { name: 'read_text_file', arguments: { path: '/etc/passwd' } }],
])('a call with %s', (_, params) => expectSame(() => request(1, 'tools/call', params)));

it.each(['', 'x', 0, -1, 2 ** 53, 1.5, null, {}])('a call with the id %j', (id) =>
  expectSame(() => request(id, 'tools/call', HELLO)),
);

it.each([
  ['another method', request(1, 'ping')],
  ['the list', request(1, 'tools/list')],
  ['a batch', [request(1, 'tools/call', HELLO), request(2, 'tools/call', HELLO)]],
  ['an empty batch', []],
  ['null', null],
  ['a text', 'hello'],
  ['an extra member', { ...request(1, 'tools/call', HELLO), extra: 1 }],
  ['a cancellation', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
  ['a second handshake', request(1, 'initialize', OPENING)],
])('%s', (_, body) => expectSame(() => body));

it.each<[string, Record<string, string>]>([
  ['a revision', { 'MCP-Protocol-Version': '2025-06-18' }],
  ['another revision', { 'MCP-Protocol-Version': '2024-11-05' }],
  ['an unknown revision', { 'MCP-Protocol-Version': '1999-01-01' }],
  ['the newest revision', { 'MCP-Protocol-Version': '2026-07-28' }],
  ['a method', { 'Mcp-Method': 'tools/list' }],
  ['a name', { 'Mcp-Name': 'other' }],
  ['JSON alone accepted', { Accept: 'application/json' }],
  ['events alone accepted', { Accept: 'text/event-stream' }],
  ['anything accepted', { Accept: '*/*' }],
  ['an unknown session', { 'Mcp-Session-Id': 'nobody' }],
])('a call under a head with %s', (_, headers) => expectSame(() => request(1, 'tools/call', HELLO), headers));

it('a call after the end of the session', async () => {
  for (const { server, session } of sides) {
    const headers = { Authorization: `Bearer ${server.token}`, 'Mcp-Session-Id': session };
    await fetch(server.url, { method: 'DELETE', headers });
  }
  await expectSame(() => request(1, 'tools/call', HELLO));
});
