/** Requests that must not get through, byte for byte: each row is one attack or one mistake, and its status. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpServer, startHttpServer } from '../harness/http-server';
import { makeWorkspace } from '../harness/workspace';
import { sendRaw } from './raw-http';

const MEBIBYTE = 1_048_576;
const LIMIT = 64 * MEBIBYTE;
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

const workspace = makeWorkspace({ 'a.txt': 'a' });
let server: HttpServer;
let port: string;

beforeAll(async () => {
  server = await startHttpServer(['--root', workspace.root]);
  port = new URL(server.url).port;
});
afterAll(async () => {
  await server.stop();
  workspace.remove();
});

interface Row {
  readonly name: string;
  readonly status: number;
  readonly line?: string;
  /** Put over the headers of a good request; `undefined` takes one away, a list repeats it. */
  readonly headers?: Record<string, string | readonly string[] | undefined>;
  readonly body?: Iterable<string | Buffer>;
}

const ROWS: readonly (() => Row)[] = [
  () => ({ name: 'no Host', status: 400, headers: { Host: undefined } }),
  () => ({ name: 'two Hosts, the good one first', status: 400, headers: { Host: [own(), 'evil.example.com'] } }),
  () => ({ name: 'two Hosts, the good one last', status: 400, headers: { Host: ['evil.example.com', own()] } }),
  () => ({ name: 'the same Host twice', status: 400, headers: { Host: [own(), own()] } }),
  () => ({ name: 'an absolute URL', status: 400, line: `POST http://${own()}/mcp HTTP/1.1` }),
  () => ({ name: 'an absolute URL elsewhere', status: 400, line: 'POST http://evil.example.com/mcp HTTP/1.1' }),
  () => ({ name: 'an asterisk for a path', status: 400, line: 'OPTIONS * HTTP/1.1' }),
  () => ({
    name: 'Content-Length and Transfer-Encoding',
    status: 400,
    headers: { 'Transfer-Encoding': 'chunked' },
    body: ['0\r\n\r\n'],
  }),
  () => ({ name: 'two lengths', status: 400, headers: { 'Content-Length': ['5', '6'] }, body: ['{"a":1'] }),
  () => ({ name: 'a space before a colon', status: 400, headers: { 'X-A ': 'b' } }),
  () => ({ name: 'headers of 20 KB', status: 431, headers: { 'X-Large': 'a'.repeat(20_000) } }),

  () => ({ name: 'another Host', status: 403, headers: { Host: 'evil.example.com' } }),
  () => ({ name: 'another Host with our port', status: 403, headers: { Host: `evil.example.com:${port}` } }),
  () => ({ name: 'a Host that begins like ours', status: 403, headers: { Host: `localhost.evil.com:${port}` } }),
  () => ({ name: 'a Host with a user', status: 403, headers: { Host: `localhost@evil.com:${port}` } }),
  () => ({ name: 'our name with another port', status: 403, headers: { Host: '127.0.0.1:1' } }),
  () => ({ name: 'our name without a port', status: 403, headers: { Host: 'localhost' } }),
  () => ({ name: 'another spelling of loopback', status: 403, headers: { Host: `127.1:${port}` } }),
  () => ({ name: 'a name with a final dot', status: 403, headers: { Host: `localhost.:${port}` } }),
  () => ({ name: 'an empty Host', status: 403, headers: { Host: '' } }),
  () => ({ name: 'an evil Origin', status: 403, headers: { Origin: 'http://evil.example.com' } }),
  () => ({ name: 'Origin null', status: 403, headers: { Origin: 'null' } }),
  () => ({ name: 'an Origin that begins like ours', status: 403, headers: { Origin: `http://${own()}.evil.com` } }),
  () => ({ name: 'an Origin on another port', status: 403, headers: { Origin: 'http://localhost:3000' } }),
  () => ({ name: 'an Origin by https', status: 403, headers: { Origin: `https://${own()}` } }),
  () => ({
    name: 'two Origins, the good one first',
    status: 403,
    headers: { Origin: [`http://${own()}`, 'http://evil.example.com'] },
  }),
  () => ({ name: 'Sec-Fetch-Site: cross-site', status: 403, headers: { 'Sec-Fetch-Site': 'cross-site' } }),
  () => ({ name: 'Sec-Fetch-Site: same-site', status: 403, headers: { 'Sec-Fetch-Site': 'same-site' } }),

  () => ({ name: 'another path', status: 404, line: 'POST / HTTP/1.1' }),
  () => ({ name: 'a path that begins like ours', status: 404, line: 'POST /mcp/../mcp HTTP/1.1' }),
  () => ({ name: 'two slashes', status: 404, line: 'POST //mcp HTTP/1.1' }),
  () => ({ name: 'OAuth discovery', status: 404, line: 'GET /.well-known/oauth-protected-resource HTTP/1.1' }),

  () => ({ name: 'no token', status: 401, headers: { Authorization: undefined } }),
  () => ({ name: 'a wrong token', status: 401, headers: { Authorization: `Bearer ${'x'.repeat(27)}` } }),
  () => ({
    name: 'a part of the token',
    status: 401,
    headers: { Authorization: `Bearer ${server.token.slice(0, -1)}` },
  }),
  () => ({ name: 'the token and more', status: 401, headers: { Authorization: `Bearer ${server.token}x` } }),
  () => ({ name: 'an empty token', status: 401, headers: { Authorization: 'Bearer ' } }),
  () => ({ name: 'the token by another scheme', status: 401, headers: { Authorization: `Basic ${server.token}` } }),
  () => ({
    name: 'the token in the URL',
    status: 401,
    line: `POST /mcp?token=${server.token} HTTP/1.1`,
    headers: { Authorization: undefined },
  }),
  () => ({ name: 'a preflight', status: 401, line: 'OPTIONS /mcp HTTP/1.1', headers: { Authorization: undefined } }),

  () => ({ name: 'PUT', status: 405, line: 'PUT /mcp HTTP/1.1' }),
  () => ({ name: 'TRACE', status: 405, line: 'TRACE /mcp HTTP/1.1' }),
  () => ({ name: 'text/plain', status: 415, headers: { 'Content-Type': 'text/plain' } }),
  () => ({ name: 'a form', status: 415, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
  () => ({ name: 'a type that begins like JSON', status: 415, headers: { 'Content-Type': 'application/json-seq' } }),
  () => ({ name: 'no content type', status: 415, headers: { 'Content-Type': undefined } }),
  () => ({ name: 'a compressed body', status: 415, headers: { 'Content-Encoding': 'gzip' } }),
  () => ({ name: 'a body too large by its length', status: 413, headers: { 'Content-Length': String(LIMIT + 1) } }),
  () => ({
    name: 'a body too large by its count',
    status: 413,
    headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
    body: chunked(LIMIT / MEBIBYTE + 1),
  }),
  () => ({ name: 'a body that is no JSON', status: 400, body: ['x'.repeat(LIST.length)] }),
  () => ({ name: 'a body that is no UTF-8', status: 400, body: [Buffer.alloc(LIST.length, 0xff)] }),
  () => ({ name: 'no session', status: 400 }),
  () => ({ name: 'an unknown session', status: 404, headers: { 'Mcp-Session-Id': crypto.randomUUID() } }),
  () => ({
    name: 'the end of an unknown session',
    status: 404,
    line: 'DELETE /mcp HTTP/1.1',
    headers: { 'Mcp-Session-Id': crypto.randomUUID() },
  }),
];

describe('the guard of the HTTP door', () => {
  it.each(ROWS.map((row, at) => ({ row, at })))('refuses row $at', async ({ row }) => {
    const { name, status, ...request } = row();
    const answer = await sendRaw(server.url, bytesOf(request));
    expect({ name, status: answer.status }).toEqual({ name, status });
    expect(JSON.parse(unchunked(answer.body))).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: expect.any(Number), message: expect.stringMatching(/./) },
    });
    expect(answer.body).not.toContain(server.token);
    if (status === 401) expect(answer.headers['www-authenticate']).toBe('Bearer');
    if (status === 405) expect(answer.headers.allow).toBe('GET, POST, DELETE');
  });

  it.each([
    ['by address', () => ({})],
    ['by name', () => ({ Host: `localhost:${port}` })],
    ['by name in capitals', () => ({ Host: `LOCALHOST:${port}` })],
    ['by IPv6 address', () => ({ Host: `[::1]:${port}` })],
    ['from its own origin', () => ({ Origin: `http://localhost:${port}`, 'Sec-Fetch-Site': 'same-origin' })],
    ['with a charset', () => ({ 'Content-Type': 'Application/JSON; charset=utf-8' })],
    ['with the scheme in small letters', () => ({ Authorization: `bearer ${server.token}` })],
  ])('lets a good request in %s', async (_, headers) => {
    const initialize = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    });
    const length = { 'Content-Length': String(initialize.length), Connection: 'close' };
    const answer = await sendRaw(server.url, bytesOf({ headers: { ...length, ...headers() }, body: [initialize] }));
    expect({ status: answer.status, session: answer.headers['mcp-session-id'] }).toEqual({
      status: 200,
      session: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('lets nobody learn the token from the log', () => {
    expect(server.stderr()).not.toContain(server.token);
  });
});

function own(): string {
  return `127.0.0.1:${port}`;
}

function* bytesOf({ line = 'POST /mcp HTTP/1.1', headers, body }: Omit<Row, 'name' | 'status'>) {
  const all: Row['headers'] = {
    Host: own(),
    Authorization: `Bearer ${server.token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'Content-Length': String(LIST.length),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => `${name}: ${each}`),
  );
  yield [line, ...lines, '', ''].join('\r\n');
  yield* body ?? [LIST];
}

function* chunked(mebibytes: number) {
  const chunk = Buffer.alloc(MEBIBYTE, ' ');
  for (let count = 0; count < mebibytes; count++) {
    yield `${MEBIBYTE.toString(16)}\r\n`;
    yield chunk;
    yield '\r\n';
  }
  yield '0\r\n\r\n';
}

/** The one chunk of a small answer, or the answer as it is. */
function unchunked(body: string): string {
  return /^[0-9a-f]+\r\n(.*)\r\n/s.exec(body)?.[1] ?? body;
}
