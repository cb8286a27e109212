/** The bounds of the sessions, with a clock that can be turned. */
import { Server } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { createSessions, type Sessions } from '../../src/mcp/http-sessions';

const HOUR = 3_600_000;
const factory = () => new Server({ name: 'fake', version: '1' }, { capabilities: { tools: {} } });
const over = Promise.resolve();
const never = new Promise<void>(() => {});

function open(options: { maxSessions?: number; now?: () => number } = {}): Sessions {
  return createSessions({ factory, onerror: () => {}, ...options });
}

async function begin(sessions: Sessions, closed: Promise<void> = over) {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const response = await post(sessions, { id: 1, method: 'initialize', params }, {}, closed);
  await closedOr(closed);
  return { status: response.status, id: response.headers.get('mcp-session-id') ?? '' };
}

async function statusOf(sessions: Sessions, id: string): Promise<number> {
  return (await post(sessions, { id: 2, method: 'ping' }, { 'mcp-session-id': id }, over)).status;
}

function post(sessions: Sessions, message: object, headers: Record<string, string>, closed: Promise<void>) {
  const accept = 'application/json, text/event-stream';
  const request = new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
  });
  return sessions.serve(request, { jsonrpc: '2.0', ...message }, closed);
}

/** Lets an exchange that is over be counted as such. */
async function closedOr(closed: Promise<void>): Promise<void> {
  if (closed === over) await new Promise((resolve) => setImmediate(resolve));
}

it('ends a session in which nothing has happened for an hour', async () => {
  let time = 0;
  const sessions = open({ now: () => time });
  const { id } = await begin(sessions);
  time = HOUR;
  sessions.sweep();
  expect(await statusOf(sessions, id)).toBe(200);
  await closedOr(over);
  time = 2 * HOUR + 1;
  sessions.sweep();
  expect(await statusOf(sessions, id)).toBe(404);
});

it('keeps a session with an open stream, however long it is silent', async () => {
  let time = 0;
  const sessions = open({ now: () => time });
  const { id } = await begin(sessions, never);
  time = 24 * HOUR;
  sessions.sweep();
  expect(await statusOf(sessions, id)).toBe(200);
});

it('gives the place of the session that was silent for longest to a new one', async () => {
  let time = 0;
  const sessions = open({ maxSessions: 2, now: () => time++ });
  const first = await begin(sessions);
  const second = await begin(sessions);
  await statusOf(sessions, first.id);
  await closedOr(over);
  const third = await begin(sessions);
  expect(sessions.size).toBe(2);
  expect(await statusOf(sessions, second.id)).toBe(404);
  expect(await statusOf(sessions, first.id)).toBe(200);
  expect(await statusOf(sessions, third.id)).toBe(200);
});

it('refuses a new session when all are in use', async () => {
  const sessions = open({ maxSessions: 1 });
  expect((await begin(sessions, never)).status).toBe(200);
  expect((await begin(sessions)).status).toBe(503);
  expect(sessions.size).toBe(1);
});

it('keeps nothing of a session that did not come about', async () => {
  const sessions = open();
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const response = await post(sessions, { id: 1, method: 'initialize', params }, { accept: 'text/html' }, over);
  expect(response.status).toBe(406);
  expect(sessions.size).toBe(0);
});
