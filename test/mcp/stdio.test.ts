/** The stdio door, by hand: what a client can send, and what the server must make of it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binary, nodeBinary } from '../harness/binary';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { type LineClient, type Message, modernMeta, openLines } from './line-client';

const MEBIBYTE = 1_048_576;
const MAX_MESSAGE_BYTES = 64 * MEBIBYTE;

function hello(id: string | number): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'hello', arguments: { name: String(id) } } };
}

function textOf({ result }: Message): unknown {
  const [first] = (result?.content ?? []) as { text: string }[];
  return JSON.parse(first?.text ?? '');
}

describe('the stdio door', () => {
  let workspace: Workspace;
  let client: LineClient;

  beforeAll(async () => {
    workspace = makeWorkspace();
    client = openLines(['serve', '--root', workspace.root]);
    await client.initialize();
  });
  afterAll(async () => {
    await client.end();
    workspace.remove();
  });

  async function expectAlive() {
    expect(textOf(await client.request('tools/call', { name: 'hello' }))).toMatchObject({ message: 'Hello, World!' });
  }

  it.each(['garbage', '{"jsonrpc": "2.0", "id": 1', "{'a': 1}", '{"a": 1} {"b": 2}', '\u0000', '{"jsonrpc":"2.0",}'])(
    'answers a line that is not JSON, %j, with -32700 and goes on [every.stdio.parse-error]',
    async (line) => {
      await client.write(`${line}\n`);
      expect(await client.receive(({ id }) => id === null)).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32700, message: 'Parse error: the line is not valid JSON' },
      });
      await expectAlive();
    },
  );

  it.each([
    ['a batch', JSON.stringify([hello(1), hello(2)]), null],
    ['an empty batch', '[]', null],
    ['a number', '7', null],
    ['a string', '"hello"', null],
    ['null', 'null', null],
    ['an object without version', '{"id": "no-version", "method": "ping"}', 'no-version'],
    ['another version', '{"jsonrpc": "1.0", "id": "old", "method": "ping"}', 'old'],
    ['neither method nor result', '{"jsonrpc": "2.0", "id": "empty"}', 'empty'],
    ['a method that is no string', '{"jsonrpc": "2.0", "id": "method", "method": 7}', 'method'],
    ['an id that is an object', '{"jsonrpc": "2.0", "id": {}, "method": "ping"}', null],
    ['an id that is null', '{"jsonrpc": "2.0", "id": null, "method": "ping"}', null],
  ])('answers %s with -32600 and goes on [every.stdio.invalid-request]', async (_, line, id) => {
    await client.write(`${line}\n`);
    expect(await client.receive((message) => message.id === id)).toMatchObject({ id, error: { code: -32600 } });
    await expectAlive();
  });

  it('passes over empty lines, and takes lines that end with CR LF [every.stdio.chunks]', async () => {
    await client.write(`\n\r\n  \n${JSON.stringify(hello('crlf'))}\r\n`);
    expect(textOf(await client.receive(({ id }) => id === 'crlf'))).toMatchObject({ message: 'Hello, crlf!' });
  });

  it('takes a message byte by byte, and several in one piece [every.stdio.chunks]', async () => {
    const line = Buffer.from(`${JSON.stringify(hello('Grüße 🪵'))}\n`);
    for (const byte of line) await client.write(new Uint8Array([byte]));
    expect(textOf(await client.receive(({ id }) => id === 'Grüße 🪵'))).toMatchObject({ message: 'Hello, Grüße 🪵!' });

    const ids = Array.from({ length: 200 }, (_, at) => `at-once-${at}`);
    await client.write(ids.map((id) => `${JSON.stringify(hello(id))}\n`).join(''));
    for (const id of ids)
      expect(textOf(await client.receive((message) => message.id === id))).toMatchObject({ message: `Hello, ${id}!` });
  });

  it('answers an unknown method with -32601 [every.stdio.unknown-method]', async () => {
    for (const method of ['nope', 'tools/nope', 'resources/list', '__proto__', 'constructor'])
      expect(await client.request(method)).toMatchObject({ error: { code: -32601, message: 'Method not found' } });
    await expectAlive();
  });

  it('answers an unknown tool with -32602, naming the tools [every.stdio.unknown-tool]', async () => {
    for (const name of ['nope', 'Hello', '', '__proto__', 'constructor', 'toString']) {
      const { error } = await client.request('tools/call', { name, arguments: {} });
      expect(error).toMatchObject({
        code: -32602,
        message: expect.stringMatching(/^Unknown tool: .*hello, read_repo_file/),
      });
    }
  });

  it('answers a tools/call without a name, or with arguments that are no object, with -32602 [every.stdio.unknown-tool]', async () => {
    for (const params of [{}, { name: 7 }, { name: 'hello', arguments: 'x' }, { name: 'hello', arguments: [] }]) {
      const { error, result } = await client.request('tools/call', params);
      expect(error?.code ?? (result?.isError && -32602), JSON.stringify(params)).toBe(-32602);
    }
    await expectAlive();
  });

  it('accepts a message of 17 MiB [every.stdio.large-message]', async () => {
    const content = 'x'.repeat(17 * MEBIBYTE);
    const answer = await client.request('tools/call', {
      name: 'write_text_file',
      arguments: { path: workspace.path('large.txt'), content },
    });
    expect(textOf(answer)).toEqual({ success: true, bytes_written: 17 * MEBIBYTE, created: true });
    expect(readFileSync(workspace.path('large.txt')).equals(Buffer.from(content))).toBe(true);
  });

  it.each([
    [
      'at the front',
      (filler: string) => `{"jsonrpc":"2.0","id":"front","method":"x","params":{"a":"${filler}"}}`,
      'front',
    ],
    [
      'at the end',
      (filler: string) => `{"method":"x","params":{"id":1,"a":"${filler}"},"jsonrpc":"2.0","id":4711}`,
      4711,
    ],
    [
      'in the middle, where it could be anything',
      (filler: string) => `{"params":{"a":"${filler}","id":3},"id":5,"x":[]}`,
      null,
    ],
  ])(
    'answers a message over 64 MiB with -32600 and its id %s, and goes on [every.stdio.oversized-message]',
    async (_, line, id) => {
      await client.write(`${line('y'.repeat(MAX_MESSAGE_BYTES))}\n`);
      expect(await client.receive((message) => message.id === id)).toMatchObject({
        id,
        error: {
          code: -32600,
          message: expect.stringMatching(/^Message too large: \d+ bytes; at most 67108864 are accepted$/),
        },
      });
      await expectAlive();
    },
  );

  it.each([
    ['a few', 3],
    ['a hundred', 100],
  ])(
    'answers too many values, of %s characters each, with -32600 and the id, and goes on [every.many-values]',
    async (_, length) => {
      const edit = { old_string: 'o'.repeat(length), new_string: 'n' };
      const call = (id: string, count: number) => ({
        ...hello(id),
        params: { name: 'multi_edit_text_file', arguments: { path: '/nowhere', edits: Array(count).fill(edit) } },
      });
      await client.write(`${JSON.stringify(call('many', 3_500))}\n${JSON.stringify(call('enough', 3_300))}\n`);
      expect(await client.receive(({ id }) => id === 'many')).toEqual({
        jsonrpc: '2.0',
        id: 'many',
        error: {
          code: -32600,
          message: 'Message too large: it has more than 10000 values; send fewer at a time',
        },
      });
      expect(textOf(await client.receive(({ id }) => id === 'enough'))).toMatchObject({ error: { code: -32002 } });
    },
  );

  it.each([
    ['read_text_file', 'path'],
    ['read_file', 'file'],
    ['run_command', 'command'],
    ['mkdir', 'x'.repeat(1_000_000)],
  ])('answers %s briefly, however long what is wrong with it is [every.short-failures]', async (name, field) => {
    const answer = await client.request('tools/call', { name, arguments: { [field]: '/x'.repeat(1_000_000) } });
    expect(answer.result?.isError).toBe(true);
    expect(JSON.stringify(answer).length).toBeLessThan(150_000);
  });

  it('does not wait for a slow call [every.stdio.concurrent]', async () => {
    const slow = client.request(
      'tools/call',
      {
        name: 'run_command',
        arguments: { command: 'node', args: ['-e', 'setTimeout(()=>{},60000)'], timeoutMs: 1500 },
      },
      'slow',
    );
    let isSlowDone = false;
    void slow.then(() => {
      isSlowDone = true;
    });
    await expectAlive();
    expect(isSlowDone).toBe(false);
    expect(textOf(await slow)).toMatchObject({ data: { timedOut: true } });
  });
});

it('answers what only the SDK can judge also where the client has left [every.stdio.unknown-method]', () => {
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'brief', version: '1' } };
  const lines = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
    { jsonrpc: '2.0', id: 2, method: 'resources/list' },
    { jsonrpc: '2.0', id: 3, method: 'no/such' },
  ];
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const { stdout } = spawnSync(nodeBinary(), [binary, 'serve'], { input, encoding: 'utf8' });
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
    [1, undefined],
    [2, -32601],
    [3, -32601],
  ]);
});

describe('the handshake', () => {
  it.each(['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'speaks revision %s [every.stdio.versions]',
    async (version) => {
      const client = openLines(['serve']);
      expect((await client.initialize({ version })).result).toMatchObject({
        protocolVersion: version,
        capabilities: { tools: {} },
        serverInfo: { name: 'tenon', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
        instructions: expect.any(String),
      });
      expect(textOf(await client.request('tools/call', { name: 'hello' }))).toMatchObject({ message: 'Hello, World!' });
      await client.end();
    },
  );

  it('speaks revision 2026-07-28, without a handshake [every.stdio.versions]', async () => {
    const client = openLines(['serve']);
    const { result } = await client.request('server/discover', { _meta: modernMeta() });
    expect(result).toMatchObject({ supportedVersions: expect.arrayContaining(['2026-07-28']) });
    const answer = await client.request('tools/call', { name: 'hello', arguments: {}, _meta: modernMeta() });
    expect(answer.result).toMatchObject({ resultType: 'complete' });
    expect(textOf(answer)).toMatchObject({ message: 'Hello, World!' });
    await client.end();
  });

  it('lets a client ask for the newest revision and then shake hands [every.stdio.versions]', async () => {
    const client = openLines(['serve']);
    await client.request('server/discover', { _meta: modernMeta() });
    expect((await client.initialize({ version: '2025-11-25' })).result).toMatchObject({
      protocolVersion: '2025-11-25',
    });
    expect(textOf(await client.request('tools/call', { name: 'hello' }))).toMatchObject({ message: 'Hello, World!' });
    await client.end();
  });

  it('answers an unknown revision with one that it speaks [every.stdio.versions]', async () => {
    const client = openLines(['serve']);
    const { result } = await client.initialize({ version: '1999-01-01' });
    expect(result?.protocolVersion).toBe('2025-11-25');
    await client.end();
  });

  it('leaves no request before it without an answer [every.stdio.before-initialize]', async () => {
    const client = openLines(['serve']);
    const { result } = await client.request('tools/list');
    expect(result?.tools).toHaveLength(15);
    expect(textOf(await client.request('tools/call', { name: 'hello' }))).toMatchObject({ message: 'Hello, World!' });
    await client.end();
  });
});

describe('the end', () => {
  let workspace: Workspace;
  beforeAll(() => {
    workspace = makeWorkspace();
  });
  afterAll(() => workspace.remove());

  /** A command with a child of its own; both write their process ids and then sleep. */
  const SLEEPERS = `
    const { spawn } = require('node:child_process');
    const { writeFileSync } = require('node:fs');
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { detached: true, stdio: 'ignore' });
    writeFileSync('pids', process.pid + ' ' + child.pid);
    setTimeout(() => {}, 60000);`;

  async function startSleepers(): Promise<{ client: LineClient; pids: number[] }> {
    workspace.write('pids', '');
    workspace.write('sleepers.cjs', SLEEPERS);
    const client = openLines(['serve', '--root', workspace.root]);
    await client.initialize();
    const params = { name: 'run_command', arguments: { command: 'node', args: ['sleepers.cjs'], timeoutMs: 60_000 } };
    await client.send({ jsonrpc: '2.0', id: 'sleep', method: 'tools/call', params });
    await expect.poll(() => workspace.read('pids'), { timeout: 10_000 }).toMatch(/^\d+ \d+$/);
    return { client, pids: workspace.read('pids').split(' ').map(Number) };
  }

  it('comes with the end of stdin, with exit code 0 [every.stdio.ends-with-client]', async () => {
    const client = openLines(['serve']);
    await client.initialize();
    expect(await client.end()).toEqual({ code: 0, signal: null });
  });

  it('comes at once when stdin was empty from the start [every.stdio.ends-with-client]', async () => {
    expect(await openLines(['serve']).end()).toEqual({ code: 0, signal: null });
  });

  it('comes when nobody reads stdout any more [every.stdio.ends-with-client]', async () => {
    const client = openLines(['serve']);
    await client.initialize();
    client.closeOutput();
    await client.send(hello('nobody'));
    expect(await client.exited).toEqual({ code: 0, signal: null });
  });

  it.each([[[]], [['--sdk-only']]])(
    'comes after the answers that a client waits for, who has said all at once: serve %j [every.stdio.last-answers]',
    async (flags) => {
      const client = openLines(['serve', '--root', workspace.root, ...flags]);
      const [path, content] = [workspace.path('last.txt'), 'first\n'];
      const calls = [
        { name: 'write_text_file', arguments: { path, content } },
        { name: 'list_dir', arguments: { dir: 7 } },
        { name: 'run_command', arguments: { command: 'node', args: ['-e', 'setTimeout(() => {}, 200)'] } },
      ];
      const clientInfo = { name: 'hasty', version: '1' };
      const opening = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
      const requests = [['initialize', opening], ['ping', {}], ...calls.map((call) => ['tools/call', call])];
      const lines = requests.map(([method, params], id) => JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      await client.write(`${lines.join('\n')}\n`);
      expect(await client.end()).toEqual({ code: 0, signal: null });
      const ids = client
        .stdout()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: number }).id);
      expect(ids.sort()).toEqual([0, 1, 2, 3, 4]);
      expect(workspace.read('last.txt')).toBe(content);
    },
  );

  it('leaves no command behind, nor a child of it, when stdin ends [every.stdio.no-orphans, every.stdio.ends-with-client]', async () => {
    const { client, pids } = await startSleepers();
    expect(await client.end()).toEqual({ code: 0, signal: null });
    await expect.poll(() => pids.filter(isAlive), { timeout: 5000 }).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'leaves no command behind after %s [every.stdio.no-orphans]',
    async (signal) => {
      const { client, pids } = await startSleepers();
      await client.kill(signal);
      await expect.poll(() => pids.filter(isAlive), { timeout: 5000 }).toEqual([]);
    },
  );

  it('comes to a call by notifications/cancelled, without an answer [every.stdio.cancellation]', async () => {
    const { client, pids } = await startSleepers();
    await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'sleep' } });
    await expect.poll(() => pids.filter(isAlive), { timeout: 5000 }).toEqual([]);
    await client.request('ping');
    expect(client.stdout()).not.toContain('"sleep"');
    await client.end();
  });

  it('comes to a call of the newest revision by notifications/cancelled too [every.stdio.cancellation]', async () => {
    workspace.write('pids', '');
    workspace.write('sleepers.cjs', SLEEPERS);
    const client = openLines(['serve', '--root', workspace.root]);
    const args = { command: 'node', args: ['sleepers.cjs'], timeoutMs: 60_000 };
    const params = { name: 'run_command', arguments: args, _meta: modernMeta() };
    await client.send({ jsonrpc: '2.0', id: 'sleep', method: 'tools/call', params });
    await expect.poll(() => workspace.read('pids'), { timeout: 10_000 }).toMatch(/^\d+ \d+$/);
    const pids = workspace.read('pids').split(' ').map(Number);
    await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'sleep' } });
    await expect.poll(() => pids.filter(isAlive), { timeout: 5000 }).toEqual([]);
    await client.end();
  });
});

/** A zombie that its new parent has not yet buried is dead. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
