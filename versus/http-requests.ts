/** Requests that must not get through an HTTP door, byte for byte: each is one attack or one mistake, and our status. */

export interface Door {
  readonly url: string;
  readonly token: string;
}

export interface BadRequest {
  readonly name: string;
  readonly status: number;
  /** `own`: about paths, methods and sessions as our door has them; another door may have others. */
  readonly about: 'framing' | 'host' | 'origin' | 'token' | 'body' | 'own';
  /** The advisory that the request belongs to: 17 is DNS rebinding, 18 a door without a lock. */
  readonly advisory?: 17 | 18;
  make(door: Door): RawRequest;
}

/** What differs from a good request. */
export interface RawRequest {
  readonly line?: string;
  /** Put over the headers of a good request; `undefined` takes one away, a list repeats it. */
  readonly headers?: Record<string, string | readonly string[] | undefined>;
  readonly body?: Iterable<string | Buffer>;
}

const MEBIBYTE = 1_048_576;
const LIMIT = 64 * MEBIBYTE;
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const EVIL = 'evil.example.com';

export const BAD_REQUESTS: readonly BadRequest[] = [
  bad('host', 'no Host', 400, { Host: undefined }),
  bad('host', 'two Hosts, the good one first', 400, (door) => ({ Host: [own(door), EVIL] })),
  bad('host', 'two Hosts, the good one last', 400, (door) => ({ Host: [EVIL, own(door)] })),
  bad('host', 'the same Host twice', 400, (door) => ({ Host: [own(door), own(door)] })),
  line('own', 'an absolute URL', 400, (door) => `POST http://${own(door)}/mcp HTTP/1.1`),
  { ...line('host', 'an absolute URL elsewhere', 400, () => `POST http://${EVIL}/mcp HTTP/1.1`), advisory: 17 },
  line('own', 'an asterisk for a path', 400, () => 'OPTIONS * HTTP/1.1'),
  {
    ...bad('framing', 'Content-Length and Transfer-Encoding', 400, {}),
    make: () => ({ headers: { 'Transfer-Encoding': 'chunked' }, body: ['0\r\n\r\n'] }),
  },
  {
    ...bad('framing', 'two lengths', 400, {}),
    make: () => ({ headers: { 'Content-Length': ['5', '6'] }, body: ['{"a":1'] }),
  },
  bad('framing', 'a space before a colon', 400, { 'X-A ': 'b' }),
  bad('framing', 'headers of 20 KB', 431, { 'X-Large': 'a'.repeat(20_000) }),

  bad('host', 'another Host', 403, { Host: EVIL }, 17),
  bad('host', 'another Host with our port', 403, (door) => ({ Host: `${EVIL}:${port(door)}` }), 17),
  bad('host', 'a Host that begins like ours', 403, (door) => ({ Host: `localhost.evil.com:${port(door)}` }), 17),
  bad('host', 'a Host that goes on after ours', 403, (door) => ({ Host: `${own(door)}.evil.com` }), 17),
  bad('host', 'a Host with a user', 403, (door) => ({ Host: `localhost@evil.com:${port(door)}` })),
  bad('host', 'our name with another port', 403, { Host: '127.0.0.1:1' }),
  bad('host', 'our name without a port', 403, { Host: 'localhost' }),
  bad('host', 'another spelling of loopback', 403, (door) => ({ Host: `127.1:${port(door)}` })),
  bad('host', 'a name with a final dot', 403, (door) => ({ Host: `localhost.:${port(door)}` })),
  bad('host', 'an empty Host', 403, { Host: '' }),
  bad('origin', 'an evil Origin', 403, { Origin: `http://${EVIL}` }, 17),
  bad('origin', 'Origin null', 403, { Origin: 'null' }, 17),
  bad('origin', 'an Origin that begins like ours', 403, (door) => ({ Origin: `http://${own(door)}.evil.com` }), 17),
  bad('origin', 'an Origin below ours', 403, (door) => ({ Origin: `http://localhost.evil.com:${port(door)}` }), 17),
  bad('origin', 'an Origin on another port', 403, { Origin: 'http://localhost:3000' }),
  bad('origin', 'an Origin by https', 403, (door) => ({ Origin: `https://${own(door)}` })),
  bad('origin', 'two Origins, the good one first', 403, (door) => ({
    Origin: [`http://${own(door)}`, `http://${EVIL}`],
  })),
  bad('origin', 'Sec-Fetch-Site: cross-site', 403, { 'Sec-Fetch-Site': 'cross-site' }),
  bad('origin', 'Sec-Fetch-Site: same-site', 403, { 'Sec-Fetch-Site': 'same-site' }),

  line('own', 'another path', 404, () => 'POST / HTTP/1.1'),
  line('own', 'a path that begins like ours', 404, () => 'POST /mcp/../mcp HTTP/1.1'),
  line('own', 'two slashes', 404, () => 'POST //mcp HTTP/1.1'),
  line('own', 'OAuth discovery', 404, () => 'GET /.well-known/oauth-protected-resource HTTP/1.1'),

  bad('token', 'no token', 401, { Authorization: undefined }, 18),
  bad('token', 'a wrong token', 401, { Authorization: `Bearer ${'x'.repeat(27)}` }, 18),
  bad('token', 'a part of the token', 401, ({ token }) => ({ Authorization: `Bearer ${token.slice(0, -1)}` })),
  bad('token', 'the token and more', 401, ({ token }) => ({ Authorization: `Bearer ${token}x` })),
  bad('token', 'an empty token', 401, { Authorization: 'Bearer ' }, 18),
  bad('token', 'the token by another scheme', 401, ({ token }) => ({ Authorization: `Basic ${token}` })),
  bad('token', 'another scheme', 401, { Authorization: 'Basic eA==' }, 18),
  {
    ...bad('token', 'the token in the URL', 401, {}),
    make: ({ token }) => ({ line: `POST /mcp?token=${token} HTTP/1.1`, headers: { Authorization: undefined } }),
  },
  {
    ...bad('own', 'a preflight', 401, {}),
    make: () => ({ line: 'OPTIONS /mcp HTTP/1.1', headers: { Authorization: undefined } }),
  },

  line('own', 'PUT', 405, () => 'PUT /mcp HTTP/1.1'),
  line('own', 'TRACE', 405, () => 'TRACE /mcp HTTP/1.1'),
  bad('body', 'text/plain', 415, { 'Content-Type': 'text/plain' }),
  bad('body', 'a form', 415, { 'Content-Type': 'application/x-www-form-urlencoded' }),
  bad('body', 'a type that begins like JSON', 415, { 'Content-Type': 'application/json-seq' }),
  bad('body', 'no content type', 415, { 'Content-Type': undefined }),
  bad('body', 'a compressed body', 415, { 'Content-Encoding': 'gzip' }),
  bad('body', 'a body too large by its length', 413, { 'Content-Length': String(LIMIT + 1) }),
  {
    ...bad('body', 'a body too large by its count', 413, {}),
    make: () => ({
      headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
      body: chunked(LIMIT / MEBIBYTE + 1),
    }),
  },
  { ...bad('body', 'a body that is no JSON', 400, {}), make: () => ({ body: ['x'.repeat(LIST.length)] }) },
  { ...bad('body', 'a body that is no UTF-8', 400, {}), make: () => ({ body: [Buffer.alloc(LIST.length, 0xff)] }) },
  bad('own', 'no session', 400, {}),
  bad('own', 'an unknown session', 404, () => ({ 'Mcp-Session-Id': crypto.randomUUID() })),
  {
    ...bad('own', 'the end of an unknown session', 404, {}),
    make: () => ({ line: 'DELETE /mcp HTTP/1.1', headers: { 'Mcp-Session-Id': crypto.randomUUID() } }),
  },
];

/** The request as it goes over the wire. */
export function* bytesOf(door: Door, { line: first = 'POST /mcp HTTP/1.1', headers, body }: RawRequest) {
  const all: RawRequest['headers'] = {
    Host: own(door),
    Authorization: `Bearer ${door.token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'Content-Length': String(LIST.length),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => `${name}: ${each}`),
  );
  yield [first, ...lines, '', ''].join('\r\n');
  yield* body ?? [LIST];
}

/** A request that every door should take, by which to see that the token and the address are right. */
export function goodRequest(): RawRequest {
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  return { headers: { 'Content-Length': String(body.length) }, body: [body] };
}

function bad(
  about: BadRequest['about'],
  name: string,
  status: number,
  headers: NonNullable<RawRequest['headers']> | ((door: Door) => NonNullable<RawRequest['headers']>),
  advisory?: 17 | 18,
): BadRequest {
  const make = (door: Door) => ({ headers: typeof headers === 'function' ? headers(door) : headers });
  return { about, name, status, make, ...(advisory ? { advisory } : {}) };
}

function line(about: BadRequest['about'], name: string, status: number, first: (door: Door) => string): BadRequest {
  return { about, name, status, make: (door) => ({ line: first(door) }) };
}

function own({ url }: Door): string {
  return new URL(url).host;
}

function port({ url }: Door): string {
  return new URL(url).port;
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
