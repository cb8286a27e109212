/** The HTTP door of the built binary, with real clients of three kinds on one server. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type HttpServer, startHttpServer } from '../harness/http-server';
import { makeWorkspace } from '../harness/workspace';
import { connectClient, KINDS, type SharedClient } from './http-clients';

const workspace = makeWorkspace({ 'a.txt': 'one\ntwo\n' });
let server: HttpServer;

beforeAll(async () => {
  server = await startHttpServer(['--root', workspace.root, '--log-level', 'error']);
});
afterAll(async () => {
  await server.stop();
  workspace.remove();
});

describe.each(KINDS)('a %s client', (kind) => {
  let client: SharedClient;
  let isApproving = true;
  beforeAll(async () => {
    client = await connectClient(kind, server, () => isApproving);
  });
  afterAll(() => client.close());

  it('speaks the revision of its era', () => {
    expect(client.revision()).toBe(kind === 'v2 modern' ? '2026-07-28' : '2025-11-25');
  });

  it('lists the fifteen tools', async () => {
    expect(await client.toolNames()).toHaveLength(15);
  });

  it('calls a tool of each toolset', async () => {
    expect(await client.call('read_text_file', { path: workspace.path('a.txt') })).toMatchObject({
      content: 'one\ntwo\n',
    });
    expect(await client.call('list_dir', {})).toMatchObject({ ok: true });
    expect(await client.call('hello', { name: 'Ada' })).toMatchObject({ message: 'Hello, Ada!' });
  });

  it('asks its user before a memory entry is written, and keeps to the answer', async () => {
    const entry = { file: 'best_practices.md', entry: `from ${kind}` };
    isApproving = false;
    expect(await client.call('write_memory_entry', entry)).toMatchObject({ error: { code: 'NOT_APPROVED' } });
    isApproving = true;
    expect(await client.call('write_memory_entry', entry)).toMatchObject({ success: true });
    const written = workspace.read('.claude/memory/best_practices.md');
    expect(written.split('\n').filter((line) => line === `from ${kind}`)).toHaveLength(1);
  });

  it('hears of the progress of a command', async () => {
    const heard: number[] = [];
    const run = { command: 'node', args: ['-e', 'setTimeout(() => {}, 1500)'] };
    await client.call('run_command', run, { onprogress: ({ progress }) => heard.push(progress) });
    expect(heard).toEqual([expect.closeTo(1, 0)]);
  });

  it('ends a command by cancelling its call', async () => {
    const [begun, pid] = [`${kind} begun`, `${kind} pid`].map((name) => workspace.path(name)) as [string, string];
    const script = `fs.writeFileSync(${JSON.stringify(pid)}, String(process.pid)); fs.writeFileSync(${JSON.stringify(begun)}, ''); setInterval(() => {}, 1000)`;
    const cancel = new AbortController();
    const call = client.call(
      'run_command',
      { command: 'node', args: ['-e', script], timeoutMs: 60_000 },
      { signal: cancel.signal },
    );
    const refused = expect(call).rejects.toThrow();
    await vi.waitFor(() => expect(existsSync(begun)).toBe(true), { timeout: 10_000 });
    cancel.abort('enough');
    await refused;
    const child = Number(workspace.read(`${kind} pid`));
    await vi.waitFor(() => expect(isAlive(child)).toBe(false), { timeout: 5000 });
  });
});

it('gives no client the answer of another, though their request ids are the same', async () => {
  const clients = await Promise.all([...KINDS, ...KINDS].map((kind) => connectClient(kind, server)));
  const answers = await Promise.all(
    Array.from({ length: 35 }, (_, call) =>
      Promise.all(clients.map((client, who) => client.call('hello', { name: `client-${who}-call-${call}` }))),
    ),
  );
  const wanted = answers.map((_, call) => clients.map((_, who) => `Hello, client-${who}-call-${call}!`));
  expect(answers.map((row) => row.map(({ message }) => message))).toEqual(wanted);
  await Promise.all(clients.map((client) => client.close()));
});

it('takes a megabyte and gives it back', async () => {
  const text = 'é'.repeat(524_288);
  for (const kind of KINDS) {
    const client = await connectClient(kind, server);
    await client.call('write_text_file', { path: workspace.path('large.txt'), content: text });
    expect(workspace.read('large.txt')).toBe(text);
    await client.close();
  }
});

it('says "permission denied" by its own code where errors are JSON-RPC errors', async () => {
  const strict = await startHttpServer(['--root', workspace.root, '--tool-errors', 'rpc']);
  const client = await connectClient('v1', strict);
  await expect(client.call('read_text_file', { path: '/etc/passwd' })).rejects.toMatchObject({ code: -32002 });
  await client.close();
  await strict.stop();
});

describe('a session', () => {
  it('is unknown once its client has ended it', async () => {
    const session = await beginSession();
    const list = { id: 2, method: 'tools/list' };
    expect((await ask('POST', session, list)).status).toBe(200);
    expect((await ask('DELETE', session)).status).toBe(200);
    expect((await ask('POST', session, list)).status).toBe(404);
    expect((await ask('GET', session)).status).toBe(404);
  });

  it('closes the stream of a cancelled call, which will get no answer', async () => {
    const session = await beginSession();
    const args = { command: 'node', args: ['-e', 'setInterval(() => {}, 1000)'], timeoutMs: 60_000 };
    const params = { name: 'run_command', arguments: args };
    const waiting = await ask('POST', session, { id: 2, method: 'tools/call', params });
    await ask('POST', session, { method: 'notifications/cancelled', params: { requestId: 2 } });
    expect(await waiting.text()).toBe('');
  });

  it('ends the commands of a client that ends it', async () => {
    const session = await beginSession();
    const script = `fs.writeFileSync('session pid', String(process.pid)); setInterval(() => {}, 1000)`;
    const args = { command: 'node', args: ['-e', script], timeoutMs: 60_000 };
    await ask('POST', session, { id: 2, method: 'tools/call', params: { name: 'run_command', arguments: args } });
    const child = await vi.waitFor(() => Number(workspace.read('session pid')) || expect.fail('not begun'));
    await ask('DELETE', session);
    await vi.waitFor(() => expect(isAlive(child)).toBe(false), { timeout: 5000 });
  });
});

async function beginSession(): Promise<string> {
  const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const begun = await ask('POST', undefined, { id: 1, method: 'initialize', params });
  await begun.text();
  return begun.headers.get('mcp-session-id') ?? '';
}

function ask(method: string, session?: string, message?: object): Promise<Response> {
  return fetch(server.url, {
    method,
    headers: {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session && { 'mcp-session-id': session }),
    },
    ...(message && { body: JSON.stringify({ jsonrpc: '2.0', ...message }) }),
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
