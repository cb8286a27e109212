/** The fast lane of the HTTP door says what the SDK alone would say: the same requests, sent to both. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpServer, startHttpServer } from '../harness/http-server';
import { makeWorkspace, type Workspace } from '../harness/workspace';

interface Peer {
  readonly server: HttpServer;
  readonly workspace: Workspace;
  readonly session: string;
}

const ACCEPT = 'application/json, text/event-stream';
const call = (name: string, args: unknown, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
  ...more,
});

const peers: Peer[] = [];
beforeAll(async () => {
  for (const flags of [[], ['--sdk-only']]) peers.push(await open(flags));
});
afterAll(async () => {
  for (const { server, workspace } of peers) {
    await server.stop();
    workspace.remove();
  }
});

async function open(flags: readonly string[]): Promise<Peer> {
  const workspace = makeWorkspace({ 'a.txt': 'one\ntwo\n', 'secret.bin': '\0' });
  const server = await startHttpServer(['--root', workspace.root, ...flags]);
  const opening = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'lane-test', version: '1' },
  };
  const { headers } = await post(server, { jsonrpc: '2.0', id: 0, method: 'initialize', params: opening });
  return { server, workspace, session: headers.get('mcp-session-id') ?? '' };
}

function post({ url, token }: HttpServer, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: ACCEPT, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** What a client can tell apart: not the order of members, nor the time of day. */
async function heard({ server, workspace, session }: Peer, body: unknown, headers: Record<string, string>) {
  const given = JSON.parse(JSON.stringify(body).replaceAll('ROOT', workspace.root)) as unknown;
  const response = await post(server, given, { 'mcp-session-id': session, ...headers });
  const text = (await response.text()).replaceAll(workspace.root, 'ROOT').replaceAll(session, 'SESSION');
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    cache: response.headers.get('cache-control'),
    buffering: response.headers.get('x-accel-buffering'),
    hasSession: response.headers.get('mcp-session-id') === session,
    events: text.split('\n\n').map(eventOf),
  };
}

function eventOf(event: string): unknown {
  const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? [];
  if (data === undefined) return event;
  const message = JSON.parse(data.replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'NOW')) as object;
  return { name, message };
}

const REQUESTS: Record<string, [body: unknown, headers?: Record<string, string>]> = {
  'a read': [call('read_text_file', { path: 'ROOT/a.txt' })],
  'a read with the version of the session': [
    call('read_text_file', { path: 'ROOT/a.txt' }),
    { 'mcp-protocol-version': '2025-06-18' },
  ],
  'a version that is none': [call('hello', {}), { 'mcp-protocol-version': '1999-01-01' }],
  'an edit': [call('edit_text_file', { path: 'ROOT/a.txt', old_string: 'one', new_string: 'ONE' })],
  'a failure with a number': [call('read_text_file', { path: 'ROOT/missing.txt' })],
  'a failure in an envelope': [call('read_file', { file: 'missing.txt' })],
  'a failure with a word': [call('read_repo_file', { path: 'missing.txt' })],
  'a binary file': [call('read_text_file', { path: 'ROOT/secret.bin' })],
  'bad arguments': [call('read_file', { file: 7 })],
  'an unknown argument': [call('read_file', { file: 'a.txt', extra: true })],
  'no arguments': [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hello' } }],
  'an unknown tool': [call('nope', {})],
  'a tool that runs programs': [call('run_command', { command: 'node', args: ['-e', '1'] })],
  'a tool that asks': [call('write_memory_entry', { file: 'best_practices.md', entry: 'x' })],
  'a list': [call('list_dir', { dir: '.' })],
  'an id that is a text': [call('hello', {}, { id: 'text' })],
  'an id that is zero': [call('hello', {}, { id: 0 })],
  'an id that is a fraction': [call('hello', {}, { id: 1.5 })],
  'an id that is null': [call('hello', {}, { id: null })],
  'a wish for progress': [
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hello', _meta: { progressToken: 7 } } },
  ],
  'arguments that are a list': [call('hello', [])],
  'another version of JSON-RPC': [call('hello', {}, { jsonrpc: '1.0' })],
  'a member too many': [call('hello', {}, { extra: 1 })],
  'a batch': [[call('hello', {})]],
  'the list of tools': [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  'a ping': [{ jsonrpc: '2.0', id: 1, method: 'ping' }],
  'a notification': [{ jsonrpc: '2.0', method: 'notifications/initialized' }],
  'a cancellation of nothing': [{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } }],
  'a client that takes JSON only': [call('hello', {}), { accept: 'application/json' }],
  'a client that takes all': [call('hello', {}), { accept: '*/*' }],
  'another session': [call('hello', {}), { 'mcp-session-id': 'another' }],
  'a body that is no object': ['7'],
};

describe('the lane and the SDK say the same to', () => {
  it.each(Object.entries(REQUESTS))('%s', async (_, [body, headers = {}]) => {
    const [lane, sdk] = await Promise.all(peers.map((peer) => heard(peer, body, headers)));
    expect(lane).toEqual(sdk);
  });
});
