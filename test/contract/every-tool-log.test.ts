/** One line per call, and nothing in it that the client sent or got. */
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openClient } from '../harness/client';
import { eachWay } from '../harness/each-way';
import { makeWorkspace } from '../harness/workspace';
import { modernMeta, openLines } from '../mcp/line-client';
import { sampleCalls, writeSampleFiles } from './sample-calls';

const UNATTENDED = { flags: ['--approve', 'always'] };
const SECRET = 'hunter2-planted';

function linesOf(log: string): Record<string, unknown>[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

function callLine(tool: string, rest: object) {
  return {
    level: 30,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    client: expect.stringMatching(/^(tenon-test 1\.0\.0|by-hand 1)$/),
    tool,
    ms: expect.any(Number),
    ...rest,
  };
}

eachWay('the log', UNATTENDED, (stage) => {
  it('has one line per call with time, client, tool, status, code and duration, and no secret [every.one-log-line, every.log-no-contents]', async () => {
    writeSampleFiles(stage.workspace);
    const calls = sampleCalls(stage.workspace, SECRET);
    const expected: unknown[] = [];
    for (const { tool, succeeds, fails, code } of calls) {
      const results = [await stage.client.result(tool, succeeds), await stage.client.result(tool, fails)];
      expect(
        results.map(({ isError = false }) => isError),
        tool,
      ).toEqual([false, true]);
      expected.push(callLine(tool, { status: 'ok' }), callLine(tool, { status: 'error', code }));
    }
    await expect.poll(() => linesOf(stage.client.log()).length).toBe(expected.length);
    expect(linesOf(stage.client.log())).toEqual(expected);
    expect(stage.client.log()).not.toContain(SECRET);
  });
});

it('the log says when a call was cancelled [every.one-log-line]', async () => {
  const workspace = makeWorkspace();
  const client = openLines(['serve', '--root', workspace.root]);
  await client.initialize();
  const params = { name: 'run_command', arguments: { command: 'node', args: ['-e', 'setTimeout(()=>{},60000)'] } };
  await client.send({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await client.send({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 'slow', reason: SECRET },
  });
  await expect
    .poll(() => linesOf(client.stderr()))
    .toEqual([callLine('run_command', { status: 'cancelled', code: 'INTERNAL_ERROR' })]);
  expect(client.stderr()).not.toContain(SECRET);
  await client.end();
  workspace.remove();
});

it('the log repeats nothing of a message that the server could not use [every.log-no-contents]', async () => {
  const workspace = makeWorkspace();
  const client = openLines(['serve', '--root', workspace.root]);
  await client.initialize();
  await client.write(`{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"${SECRET}"\n`);
  await client.write(`["${SECRET}"]\n`);
  await client.send({ jsonrpc: '2.0', id: 99, result: { answer: SECRET } });
  await client.send({ jsonrpc: '2.0', id: 98, error: { code: 1, message: SECRET, data: SECRET } });
  await client.send({ jsonrpc: '2.0', id: 97, method: SECRET, params: { token: SECRET } });
  await client.send({ jsonrpc: '2.0', method: `notifications/${SECRET}`, params: { token: SECRET } });
  await client.send({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: SECRET, progress: 1 },
  });
  await client.send({ jsonrpc: '2.0', id: 96, method: 'tools/call', params: { name: { secret: SECRET } } });
  await client.send({ jsonrpc: '2.0', id: 95, method: 'tools/call', params: { name: SECRET } });
  await client.send({ jsonrpc: '2.0', id: 94, method: 'tools/call', params: { name: 'hello', arguments: SECRET } });
  await client.request('ping');
  await client.end();
  expect(client.stderr()).not.toContain(SECRET);
  expect(client.stderr()).toContain('Parse error');
  workspace.remove();
});

it('the log cuts the name of a client that is too long [every.one-log-line]', async () => {
  const workspace = makeWorkspace();
  const client = openLines(['serve', '--root', workspace.root]);
  const clientInfo = { name: `long\n${'x'.repeat(100_000)}`, version: '1' };
  const _meta = { ...modernMeta(), 'io.modelcontextprotocol/clientInfo': clientInfo };
  await client.request('tools/call', { name: 'hello', arguments: {}, _meta });
  await client.end();
  expect(linesOf(client.stderr())).toHaveLength(1);
  expect(client.stderr().length).toBeLessThan(500);
  workspace.remove();
});

it('the log goes to a file instead, and stdout has nothing but protocol [every.log-file, every.stdout-only-protocol]', async () => {
  const workspace = makeWorkspace();
  const client = openLines(['serve', '--root', workspace.root, '--log-file', workspace.path('logs/tenon.log')]);
  await client.initialize();
  await client.write('garbage\n');
  for (const { tool, succeeds } of sampleCalls(workspace))
    await client.request('tools/call', { name: tool, arguments: succeeds });
  expect(await client.end()).toEqual({ code: 0, signal: null });

  expect(client.stderr()).toBe('');
  const logged = linesOf(workspace.read('logs/tenon.log')).filter(({ tool }) => tool);
  expect(logged.map(({ tool }) => tool)).toEqual(sampleCalls(workspace).map(({ tool }) => tool));
  for (const line of client.stdout().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  workspace.remove();
});

it('the log is silent when told so [every.log-file]', async () => {
  const workspace = makeWorkspace();
  const client = await openClient(
    { door: 'stdio', era: 'legacy' },
    { root: workspace.root, flags: ['--log-level', 'silent'] },
  );
  await client.call('hello');
  await client.result('read_file', { file: 'missing' });
  await client.close();
  expect(client.log()).toBe('');
  workspace.remove();
});

it('the log of a client that never reads stderr stops nothing, not even the end [every.log-never-in-the-way]', async () => {
  const workspace = makeWorkspace();
  const client = openLines(['serve', '--root', workspace.root], { unreadErrors: true });
  await client.initialize();
  const ids = Array.from({ length: 3000 }, (_, at) => `unread-${at}`);
  const params = { name: 'hello', arguments: {} };
  await client.write(
    ids.map((id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`).join(''),
  );
  for (const id of ids) await client.receive((message) => message.id === id);
  expect(await client.end()).toEqual({ code: 0, signal: null });
  workspace.remove();
});

it.runIf(existsSync('/dev/full'))('the log on a full disk changes no answer [every.log-never-in-the-way]', async () => {
  const workspace = makeWorkspace();
  const client = await openClient(
    { door: 'stdio', era: 'modern' },
    { root: workspace.root, flags: ['--log-file', '/dev/full'] },
  );
  for (const content of ['one', 'two'])
    expect(await client.call('write_file', { file: 'a.txt', content })).toMatchObject({ ok: true });
  expect(workspace.read('a.txt')).toBe('two');
  await client.close();
  workspace.remove();
});
