/** The fast lane of the HTTP door, tool by tool and head by head: what the SDK alone says, word for word. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleCalls, writeSampleFiles } from '../contract/sample-calls';
import { type HttpServer, startHttpServer } from '../harness/http-server';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { modernMeta } from './line-client';

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
      // Where a body ends is said in one of two ways, and no client can tell.
      const { date: _, 'content-length': __, 'transfer-encoding': ___, ...head } = Object.fromEntries(response.headers);
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

it('a long answer is sent while it is made, and is the same', async () => {
  const text = 'größe = "漢字"; // 😀\n'.repeat(250_000);
  const answers = await Promise.all(
    sides.map(async (side) => {
      const path = side.workspace.write('long.txt', text);
      const answer = await post(side, request('long', 'tools/call', { name: 'read_text_file', arguments: { path } }));
      return { length: answer.headers.get('content-length'), body: await answer.text() };
    }),
  );
  const [lane, sdk] = answers;
  expect(lane?.length).toBe(null);
  expect([lane?.body.length, lane?.body === sdk?.body]).toEqual([sdk?.body.length, true]);
});

it.each(['2025-06-18', '2026-07-28'])('a long text is written, edited and read as it is: %s', async (version) => {
  const text = 'größe = "漢字"; // 😀\n'.repeat(250_000);
  for (const side of sides) {
    const path = side.workspace.path('written.txt');
    await callLong(side, version, 'write_text_file', { path, content: text });
    expect(side.workspace.read('written.txt') === text).toBe(true);
    const edit = { path, old_string: text, new_string: text.replaceAll('größe', 'size') };
    const edited = await callLong(side, version, 'edit_text_file', edit);
    expect(edited.body.diff.length).toBeGreaterThan(2 * text.length);
    expect(edited.structured?.diff === edited.body.diff).toBe(true);
    const read = await callLong(side, version, 'read_text_file', { path });
    expect(read.body.content === edit.new_string).toBe(true);
    expect(read.structured).toBeUndefined();
  }
});

async function callLong(side: Side, version: string, name: string, given: object) {
  const isModern = version === '2026-07-28';
  const params = { name, arguments: given, ...(isModern && { _meta: modernMeta() }) };
  const head = { 'MCP-Protocol-Version': version, ...(isModern && { 'Mcp-Method': 'tools/call', 'Mcp-Name': name }) };
  const response = await post(isModern ? { ...side, session: '' } : side, request('long', 'tools/call', params), head);
  const json = (await response.text()).replace(/^event: message\ndata: /, '');
  const { content, structuredContent } = JSON.parse(json).result;
  return { body: JSON.parse(content[0].text), structured: structuredContent };
}

it('every tool, its success and its failure', async () => {
  for (const at of sampleCalls({ root: '', path: (name) => name }).keys())
    for (const way of ['succeeds', 'fails'] as const)
      await expectSame(({ workspace }) => {
        const sample = sampleCalls(workspace)[at];
        return request(`${at}-${way}`, 'tools/call', { name: sample?.tool, arguments: sample?.[way] });
      });
});

it('permission denied, which is -32002', () =>
  expectSame(() => request(1, 'tools/call', { name: 'read_text_file', arguments: { path: '/etc/passwd' } })));

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
