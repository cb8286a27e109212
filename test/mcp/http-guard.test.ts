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

/** What differs from a good request. */
interface RawRequest {
  readonly line?: string;
  /** Put over the headers of a good request; `undefined` takes one away, a list repeats it. */
  readonly headers?: Record<string, string | readonly string[] | undefined>;
  readonly body?: Iterable<string | Buffer>;
}

const ROWS: readonly (readonly [name: string, status: number, request: () => RawRequest])[] = [
  ['no Host', 400, () => ({ headers: { Host: undefined } })],
  ['two Hosts, the good one first', 400, () => ({ headers: { Host: [own(), 'evil.example.com'] } })],
  ['two Hosts, the good one last', 400, () => ({ headers: { Host: ['evil.example.com', own()] } })],
  ['the same Host twice', 400, () => ({ headers: { Host: [own(), own()] } })],
  ['an absolute URL', 400, () => ({ line: `POST http://${own()}/mcp HTTP/1.1` })],
  ['an absolute URL elsewhere', 400, () => ({ line: 'POST http://evil.example.com/mcp HTTP/1.1' })],
  ['an asterisk for a path', 400, () => ({ line: 'OPTIONS * HTTP/1.1' })],
  [
    'Content-Length and Transfer-Encoding',
    400,
    () => ({ headers: { 'Transfer-Encoding': 'chunked' }, body: ['0\r\n\r\n'] }),
  ],
  ['two lengths', 400, () => ({ headers: { 'Content-Length': ['5', '6'] }, body: ['{"a":1'] })],
  ['a space before a colon', 400, () => ({ headers: { 'X-A ': 'b' } })],
  ['headers of 20 KB', 431, () => ({ headers: { 'X-Large': 'a'.repeat(20_000) } })],

  ['another Host', 403, () => ({ headers: { Host: 'evil.example.com' } })],
  ['another Host with our port', 403, () => ({ headers: { Host: `evil.example.com:${port}` } })],
  ['a Host that begins like ours', 403, () => ({ headers: { Host: `localhost.evil.com:${port}` } })],
  ['a Host with a user', 403, () => ({ headers: { Host: `localhost@evil.com:${port}` } })],
  ['our name with another port', 403, () => ({ headers: { Host: '127.0.0.1:1' } })],
  ['our name without a port', 403, () => ({ headers: { Host: 'localhost' } })],
  ['another spelling of loopback', 403, () => ({ headers: { Host: `127.1:${port}` } })],
  ['a name with a final dot', 403, () => ({ headers: { Host: `localhost.:${port}` } })],
  ['an empty Host', 403, () => ({ headers: { Host: '' } })],
  ['an evil Origin', 403, () => ({ headers: { Origin: 'http://evil.example.com' } })],
  ['Origin null', 403, () => ({ headers: { Origin: 'null' } })],
  ['an Origin that begins like ours', 403, () => ({ headers: { Origin: `http://${own()}.evil.com` } })],
  ['an Origin on another port', 403, () => ({ headers: { Origin: 'http://localhost:3000' } })],
  ['an Origin by https', 403, () => ({ headers: { Origin: `https://${own()}` } })],
  [
    'two Origins, the good one first',
    403,
    () => ({ headers: { Origin: [`http://${own()}`, 'http://evil.example.com'] } }),
  ],
  ['Sec-Fetch-Site: cross-site', 403, () => ({ headers: { 'Sec-Fetch-Site': 'cross-site' } })],
  ['Sec-Fetch-Site: same-site', 403, () => ({ headers: { 'Sec-Fetch-Site': 'same-site' } })],

  ['another path', 404, () => ({ line: 'POST / HTTP/1.1' })],
  ['a path that begins like ours', 404, () => ({ line: 'POST /mcp/../mcp HTTP/1.1' })],
  ['two slashes', 404, () => ({ line: 'POST //mcp HTTP/1.1' })],
  ['OAuth discovery', 404, () => ({ line: 'GET /.well-known/oauth-protected-resource HTTP/1.1' })],

  ['no token', 401, () => ({ headers: { Authorization: undefined } })],
  ['a wrong token', 401, () => ({ headers: { Authorization: `Bearer ${'x'.repeat(27)}` } })],
  ['a part of the token', 401, () => ({ headers: { Authorization: `Bearer ${server.token.slice(0, -1)}` } })],
  ['the token and more', 401, () => ({ headers: { Authorization: `Bearer ${server.token}x` } })],
  ['an empty token', 401, () => ({ headers: { Authorization: 'Bearer ' } })],
  ['the token by another scheme', 401, () => ({ headers: { Authorization: `Basic ${server.token}` } })],
  [
    'the token in the URL',
    401,
    () => ({ line: `POST /mcp?token=${server.token} HTTP/1.1`, headers: { Authorization: undefined } }),
  ],
  ['a preflight', 401, () => ({ line: 'OPTIONS /mcp HTTP/1.1', headers: { Authorization: undefined } })],

  ['PUT', 405, () => ({ line: 'PUT /mcp HTTP/1.1' })],
  ['TRACE', 405, () => ({ line: 'TRACE /mcp HTTP/1.1' })],
  ['text/plain', 415, () => ({ headers: { 'Content-Type': 'text/plain' } })],
  ['a form', 415, () => ({ headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })],
  ['a type that begins like JSON', 415, () => ({ headers: { 'Content-Type': 'application/json-seq' } })],
  ['no content type', 415, () => ({ headers: { 'Content-Type': undefined } })],
  ['a compressed body', 415, () => ({ headers: { 'Content-Encoding': 'gzip' } })],
  ['a body too large by its length', 413, () => ({ headers: { 'Content-Length': String(LIMIT + 1) } })],
  [
    'a body too large by its count',
    413,
    () => ({
      headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
      body: chunked(LIMIT / MEBIBYTE + 1),
    }),
  ],
  ['a body that is no JSON', 400, () => ({ body: ['x'.repeat(LIST.length)] })],
  ['a body that is no UTF-8', 400, () => ({ body: [Buffer.alloc(LIST.length, 0xff)] })],
  ['no session', 400, () => ({})],
  ['an unknown session', 404, () => ({ headers: { 'Mcp-Session-Id': crypto.randomUUID() } })],
  [
    'the end of an unknown session',
    404,
    () => ({ line: 'DELETE /mcp HTTP/1.1', headers: { 'Mcp-Session-Id': crypto.randomUUID() } }),
  ],
];

describe('the guard of the HTTP door', () => {
  it.each(ROWS)('refuses %s with %i', async (_, status, request) => {
    const answer = await sendRaw(server.url, bytesOf(request()));
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({
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
    const length = { 'Content-Length': String(initialize.length) };
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

function* bytesOf({ line = 'POST /mcp HTTP/1.1', headers, body }: RawRequest) {
  const all: RawRequest['headers'] = {
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
