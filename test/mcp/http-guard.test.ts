/** Requests that must not get through, byte for byte, each with its status; `npm run versus` sends them to others too. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BAD_REQUESTS, bytesOf, goodRequest } from '../../versus/http-requests';
import { type HttpServer, startHttpServer } from '../harness/http-server';
import { makeWorkspace } from '../harness/workspace';
import { sendRaw } from './raw-http';

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

const lengthOf = (body: string) => ({ 'Content-Length': String(Buffer.byteLength(body)) });

describe('the guard of the HTTP door', () => {
  it.each(BAD_REQUESTS)('refuses $name with $status', async ({ status, make }) => {
    const answer = await sendRaw(server.url, bytesOf(server, make(server)));
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
    const good = goodRequest();
    const request = { ...good, headers: { ...good.headers, ...headers() } };
    const answer = await sendRaw(server.url, bytesOf(server, request));
    expect({ status: answer.status, session: answer.headers['mcp-session-id'] }).toEqual({
      status: 200,
      session: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('lets in a body that begins with a byte order mark', async () => {
    const { headers, body = [] } = goodRequest();
    const marked = `\ufeff${[...body].join('')}`;
    const answer = await sendRaw(
      server.url,
      bytesOf(server, { headers: { ...headers, ...lengthOf(marked) }, body: [marked] }),
    );
    expect(answer.status).toBe(200);
  });

  it.each([12_000, 200_000])('refuses a body of %i values with 400 [every.many-values]', async (count) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":[${'1,'.repeat(count)}1]}}`;
    const { status, body: answer } = await sendRaw(
      server.url,
      bytesOf(server, { headers: lengthOf(body), body: [body] }),
    );
    expect({ status, answer: JSON.parse(answer) }).toEqual({
      status: 400,
      answer: {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: 'Message too large: it has more than 10000 values; send fewer at a time' },
      },
    });
  });

  it('lets nobody learn the token from the log', () => {
    expect(server.stderr()).not.toContain(server.token);
  });
});
