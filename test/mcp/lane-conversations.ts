/** What clients say: the usual, the rare and the wrong. Each is said to the lane and to the SDK alone. */
import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { sampleCalls, writeSampleFiles } from '../contract/sample-calls';
import type { Conversation, Talk } from './lane-talk';
import { modernMeta } from './line-client';

const PREFIX = 'io.modelcontextprotocol/';
const CLIENT = { name: 'by-hand', version: '1' };
const FORMS = { elicitation: {} };
const SLEEP = { command: 'node', args: ['-e', 'setTimeout(() => {}, 60000)'], timeoutMs: 60_000 };
const ENTRY = { file: 'best_practices.md', entry: 'keep it short' };

interface Case {
  readonly flags?: readonly string[];
  readonly talk: Conversation;
}

export const CONVERSATIONS: Record<string, Case> = {
  ...Object.fromEntries(
    [
      '2024-10-07',
      '2024-11-05',
      '2025-03-26',
      '2025-06-18',
      '2025-11-25',
      '1999-01-01',
      '2026-07-28',
      '',
      '__proto__',
    ].map((version) => [`revision ${JSON.stringify(version)}`, { talk: usual(version) }]),
  ),
  'every tool, after a handshake': { flags: ['--approve', 'always'], talk: everyTool((talk) => talk.call, handshake) },
  'every tool, without one': { flags: ['--approve', 'always'], talk: everyTool((talk) => talk.callModern) },
  'every tool, failures as errors': {
    flags: ['--approve', 'always', '--tool-errors', 'rpc'],
    talk: everyTool((talk) => talk.call, handshake),
  },
  'every tool, failures as errors, without a handshake': {
    flags: ['--approve', 'always', '--tool-errors', 'rpc'],
    talk: everyTool((talk) => talk.callModern),
  },
  'permission denied as an error': {
    flags: ['--tool-errors', 'rpc'],
    talk: async (talk) => {
      await handshake(talk);
      await talk.call('read_text_file', { path: '/etc/passwd' });
      await talk.call('read_text_file', { path: 'relative' });
    },
  },
  'a part of the tools': {
    flags: ['--toolsets', 'repo,editor', '--read-only'],
    talk: async (talk) => {
      await usual('2025-06-18')(talk);
      await talk.call('write_text_file', { path: '/x', content: '' });
      await talk.call('list_dir');
    },
  },
  'a part of the tools, without a handshake': {
    flags: ['--toolsets', 'workspace'],
    talk: async (talk) => {
      await talk.askModern('server/discover');
      await talk.askModern('tools/list');
      await talk.callModern('hello');
    },
  },
  'handshakes that are wrong, then a right one': {
    talk: async (talk) => {
      for (const params of [
        {},
        { protocolVersion: '2025-06-18' },
        { protocolVersion: '2025-06-18', capabilities: {} },
        { protocolVersion: 7, capabilities: {}, clientInfo: CLIENT },
        { protocolVersion: '2025-06-18', capabilities: [], clientInfo: CLIENT },
        { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x' } },
      ])
        await talk.ask('initialize', params);
      await handshake(talk);
      await talk.call('hello');
    },
  },
  ...Object.fromEntries(
    [
      { roots: { listChanged: true }, sampling: {}, elicitation: {} },
      { roots: { listChanged: 'yes' } },
      { roots: [] },
      { sampling: { context: {}, tools: {} }, experimental: { x: { y: [1, { z: null }] } } },
      { sampling: { context: true } },
      { elicitation: { form: { applyDefaults: 'x' } } },
      { elicitation: { form: {}, url: {} }, extensions: { 'a/b': { c: 1 } }, unheardOf: 7 },
      { tasks: { list: {}, requests: { elicitation: { create: {} } } } },
      { experimental: { x: 7 } },
      { extensions: 'none' },
    ].map((capabilities) => [
      `capabilities ${JSON.stringify(capabilities)}`,
      {
        talk: async (talk: Talk) => {
          await handshake(talk, { capabilities });
          await talk.ask('tools/list');
          await talk.askModern('tools/list', {}, modernMeta(capabilities));
        },
      },
    ]),
  ),
  'capabilities with a number beyond all numbers': {
    talk: async (talk) => {
      const params = `{"protocolVersion":"2025-06-18","capabilities":{"experimental":{"x":{"y":1e999}}},"clientInfo":{"name":"a","version":"1"}}`;
      await talk.tell(`{"jsonrpc":"2.0","id":"wide","method":"initialize","params":${params}}`);
      await talk.hear(({ id }) => id === 'wide');
    },
  },
  'clients with more or less of a name': {
    talk: async (talk) => {
      await handshake(talk, {
        clientInfo: { ...CLIENT, title: 'T', description: 'D', websiteUrl: 'https://example.com' },
      });
      await talk.call('hello');
      await handshake(talk, { clientInfo: { name: '', version: '' } });
      await talk.call('hello');
      await handshake(talk, { clientInfo: { ...CLIENT, name: 'x'.repeat(200), icons: [{ src: 'a.png' }] } });
      await talk.call('hello');
      await handshake(talk, { clientInfo: { ...CLIENT, title: 7 } });
      await talk.call('hello');
    },
  },
  'a handshake with more in it': {
    talk: async (talk) => {
      await handshake(talk, { extra: 1 });
      await talk.call('hello');
    },
  },
  'a client that shakes hands again, as another': {
    talk: async (talk) => {
      await handshake(talk);
      await talk.call('hello');
      await handshake(talk, { protocolVersion: '2024-11-05', clientInfo: { name: 'another', version: '2' } });
      await talk.call('hello');
      await talk.ask('ping');
      await talk.ask('tools/list');
    },
  },
  'no handshake: the list first': { talk: (talk) => inTurn(talk, ['tools/list', 'ping', 'tools/list']) },
  'no handshake: a ping first': { talk: (talk) => inTurn(talk, ['ping', 'tools/list']) },
  'no handshake: a call first': {
    talk: async (talk) => {
      await talk.call('hello');
      await handshake(talk);
      await talk.call('hello');
    },
  },
  'no handshake: a notification first': {
    talk: async (talk) => {
      await talk.tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
      await talk.ask('tools/list');
      await talk.askModern('tools/list');
    },
  },
  'no handshake: an answer first': {
    talk: async (talk) => {
      await talk.tell({ jsonrpc: '2.0', id: 0, result: {} });
      await usual('2025-06-18')(talk);
    },
  },
  'the newest revision, asked for': {
    talk: async (talk) => {
      await talk.askModern('server/discover');
      await talk.askModern('server/discover');
      await talk.askModern('tools/list');
      await talk.askModern('server/discover');
      await talk.callModern('hello', { name: 'Ada' });
      await talk.askModern('ping');
      await talk.askModern('initialize');
      await handshake(talk);
      await talk.ask('tools/list');
      await talk.call('hello');
      await talk.callModern('hello');
    },
  },
  'the newest revision, unasked': {
    talk: async (talk) => {
      await talk.callModern('hello');
      await talk.askModern('tools/list', { cursor: 'x' });
      await talk.askModern('tools/list', { cursor: 7 });
      await talk.askModern('logging/setLevel', { level: 'info' });
      await talk.askModern('nope');
      await talk.ask('server/discover');
    },
  },
  'the newest revision, asked for and not taken': {
    talk: async (talk) => {
      await talk.askModern('server/discover');
      await usual('2025-11-25')(talk);
      await talk.askModern('server/discover');
      await talk.askModern('tools/list');
      await talk.callModern('hello');
      await talk.call('hello');
    },
  },
  'the newest revision, asked for, then a bare list': {
    talk: async (talk) => {
      await talk.askModern('server/discover');
      await talk.ask('tools/list');
      await talk.call('hello');
    },
  },
  'the newest revision, asked for, then a notification': {
    talk: async (talk) => {
      await talk.askModern('server/discover');
      await talk.tell({ jsonrpc: '2.0', method: 'notifications/roots/list_changed', params: { _meta: modernMeta() } });
      await talk.callModern('hello');
    },
  },
  ...Object.fromEntries(
    Object.entries({
      'no capabilities': { [`${PREFIX}clientCapabilities`]: undefined },
      'capabilities that are a list': { [`${PREFIX}clientCapabilities`]: [] },
      'no client': { [`${PREFIX}clientInfo`]: undefined },
      'a client without version': { [`${PREFIX}clientInfo`]: { name: 'x' } },
      'an unknown revision': { [`${PREFIX}protocolVersion`]: '2099-01-01' },
      'an old revision': { [`${PREFIX}protocolVersion`]: '2025-06-18' },
      'a revision that is a number': { [`${PREFIX}protocolVersion`]: 7 },
      'a revision in a list': { [`${PREFIX}protocolVersion`]: ['2026-07-28'] },
      'a log level': { [`${PREFIX}logLevel`]: 'debug' },
      'a log level that is none': { [`${PREFIX}logLevel`]: 'loud' },
      'a related task': { [`${PREFIX}related-task`]: { taskId: 'x' } },
      'a foreign key': { 'x-codex-turn-metadata': { turn: 1 }, callId: 'c' },
    }).map(([what, change]) => [
      `an envelope with ${what}`,
      {
        talk: async (talk: Talk) => {
          const meta = { ...modernMeta(), ...change };
          for (const method of ['server/discover', 'tools/list']) await talk.askModern(method, {}, meta);
          await talk.askModern('tools/call', { name: 'hello', arguments: {} }, meta);
          await talk.askModern('tools/list');
          await talk.askModern('tools/list', {}, meta);
        },
      },
    ]),
  ),
  'legacy requests with something in _meta': {
    talk: async (talk) => {
      await handshake(talk, { _meta: { note: 1 } });
      for (const meta of [
        {},
        { callId: 'c', deep: { er: [] } },
        { [`${PREFIX}clientInfo`]: { name: 'sly', version: '1' } },
      ])
        for (const method of ['ping', 'tools/list', 'tools/call'])
          await talk.ask(method, { ...(method === 'tools/call' && { name: 'hello' }), _meta: meta });
    },
  },
  'arguments that are wrong': {
    talk: async (talk) => {
      await handshake(talk);
      for (const { tool, succeeds } of sampleCalls(talk.workspace)) {
        await talk.call(tool, {});
        await talk.call(tool, { ...succeeds, unheardOf: 1 });
        await talk.call(tool, Object.fromEntries(Object.keys(succeeds).map((name) => [name, null])));
        await talk.call(tool, Object.fromEntries(Object.keys(succeeds).map((name) => [name, { deep: 1 }])));
      }
      await talk.call('read_text_file', { path: talk.workspace.path('read.txt'), line: 0 });
      await talk.call('read_text_file', { path: talk.workspace.path('read.txt'), limit: 1.5 });
      await talk.call('edit_file', { file: 'a', find: '', replace: '' });
      await talk.call('write_file', { file: 'a', content: '\ud800' });
    },
  },
  'calls of another form': {
    talk: async (talk) => {
      await handshake(talk);
      for (const params of [
        { name: 'nope' },
        { name: 'constructor', arguments: {} },
        { name: 7 },
        {},
        { name: 'hello', arguments: [] },
        { name: 'hello', arguments: 'x' },
        { name: 'hello', arguments: null },
        { name: 'hello', task: { ttl: 1 } },
        { name: 'hello', task: 7 },
        { name: 'hello', extra: true },
        { name: 'hello', inputResponses: {}, requestState: 'x' },
        { name: 'hello', requestState: 'forged' },
      ])
        await talk.ask('tools/call', params);
      for (const args of ['{"__proto__":{"name":"x"}}', '{"name":"x","__proto__":1}']) {
        await talk.tell(
          `{"jsonrpc":"2.0","id":"proto","method":"tools/call","params":{"name":"hello","arguments":${args}}}`,
        );
        await talk.hear(({ id }) => id === 'proto');
        await talk.tell(
          `{"jsonrpc":"2.0","id":"list","method":"tools/call","params":{"name":"list_dir","arguments":${args}}}`,
        );
        await talk.hear(({ id }) => id === 'list');
      }
    },
  },
  'methods that nobody has, and lists with a cursor': {
    talk: async (talk) => {
      await handshake(talk);
      await inTurn(talk, [
        'nope',
        'resources/list',
        'prompts/list',
        'completion/complete',
        '__proto__',
        'server/discover',
      ]);
      await talk.ask('logging/setLevel', { level: 'info' });
      await talk.ask('tools/list', { cursor: 'x' });
      await talk.ask('tools/list', { cursor: 7 });
      await talk.ask('ping', { extra: 1 });
      await talk.askModern('subscriptions/listen', { notifications: {} });
      await talk.ask('tasks/get', { taskId: 'x' });
    },
  },
  'messages of another form': {
    talk: async (talk) => {
      await handshake(talk);
      for (const line of [
        'garbage',
        '[]',
        '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
        '7',
        'null',
        '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      ])
        await talk.tell(line);
      await talk.tell({ jsonrpc: '2.0', id: 'extra', method: 'ping', extra: 1 });
      await talk.tell({ jsonrpc: '2.0', id: 'odd-params', method: 'ping', params: [] });
      await talk.tell({ jsonrpc: '2.0', id: 'odd-meta', method: 'ping', params: { _meta: 7 } });
      await talk.tell({ jsonrpc: '2.0', id: 'null-meta', method: 'ping', params: { _meta: null } });
      await talk.tell({ jsonrpc: '2.0', id: 'odd-token', method: 'ping', params: { _meta: { progressToken: {} } } });
      await talk.tell({ jsonrpc: '2.0', method: 'notifications/unheard-of', params: { x: 1 } });
      await talk.tell({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
      await talk.tell({ jsonrpc: '2.0', id: 99, result: {} });
      await talk.tell({ jsonrpc: '2.0', id: 98, error: { code: 1, message: 'x' } });
      await talk.ask('ping');
      await talk.call('hello');
    },
  },
  'ids of every kind': {
    talk: async (talk) => {
      await handshake(talk);
      for (const id of ['', '1', 'Grüße 🪵', '"\\\n', 0, -1, 2 ** 53 - 1]) {
        await talk.ask('ping', {}, id);
        await talk.ask('tools/call', { name: 'hello' }, id);
      }
      for (const id of ['9007199254740993', '1e3', '1.0', '1.5', 'null', '{}', 'true'])
        await talk.tell(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
      await talk.ask('ping');
      await talk.ask('nope', {}, 'last');
    },
  },
  'one id for several requests': {
    talk: async (talk) => {
      await handshake(talk);
      const call = (name: string) => ({ jsonrpc: '2.0', id: 'same', method: 'tools/call', params: { name } });
      for (const name of ['hello', 'nope', 'hello']) await talk.tell(call(name));
      for (let count = 0; count < 3; count++) await talk.hear(({ id }) => id === 'same');
    },
  },
  'a call that is cancelled': {
    talk: async (talk) => {
      await handshake(talk);
      await cancelSleeper(talk, 'slow', {});
      await cancelSleeper(talk, 7, {});
      await cancelSleeper(talk, 'more', {}, { extra: 1, _meta: { note: 1 } });
      for (const requestId of ['unknown', 1, null, {}, undefined])
        await talk.tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
      await talk.tell({ jsonrpc: '2.0', method: 'notifications/cancelled' });
      await talk.ask('ping');
      await talk.call('hello');
    },
  },
  'a call whose cancellation is none': {
    talk: async (talk) => {
      await handshake(talk);
      const calls = [{ reason: 7 }, { _meta: 7 }, { requestId: ['at-2'] }].map(async (odd, at) => {
        const params = { name: 'run_command', arguments: { ...SLEEP, timeoutMs: 800 } };
        const answer = talk.ask('tools/call', params, `at-${at}`);
        const cancelled = { requestId: `at-${at}`, ...odd };
        await talk.tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: cancelled });
        return answer;
      });
      await Promise.all(calls);
    },
  },
  'a call of the newest revision that is cancelled': {
    talk: async (talk) => {
      await cancelSleeper(talk, 'slow', { _meta: modernMeta() });
      // As the SDK's own client says it: with the same claim as a request.
      await cancelSleeper(talk, 'slower', { _meta: modernMeta() }, { _meta: modernMeta() });
      await talk.callModern('hello');
    },
  },
  'a call whose progress is wanted': {
    talk: async (talk) => {
      await handshake(talk);
      const args = { command: 'node', args: ['-e', 'setTimeout(() => {}, 60000)'], timeoutMs: 1500 };
      await talk.ask('tools/call', { name: 'run_command', arguments: args, _meta: { progressToken: 'p' } });
      await talk.ask('tools/call', { name: 'hello', _meta: { progressToken: 7 } });
    },
  },
  'a client that is gone before the answer': {
    talk: async (talk) => {
      await handshake(talk);
      await talk.tell({
        jsonrpc: '2.0',
        id: 'slow',
        method: 'tools/call',
        params: { name: 'run_command', arguments: SLEEP },
      });
      await talk.ask('ping');
    },
  },
  'everything at once': {
    talk: async (talk) => {
      const message = (id: number, method: string, params: object = {}) =>
        JSON.stringify({ jsonrpc: '2.0', id, method, params });
      const opening = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: CLIENT };
      const lines = [message(0, 'initialize', opening), '{"jsonrpc":"2.0","method":"notifications/initialized"}'];
      for (let id = 1; id <= 60; id += 4)
        lines.push(
          message(id, 'ping'),
          message(id + 1, 'tools/call', { name: 'hello', arguments: { name: `n${id}` } }),
          message(id + 2, 'nope'),
          message(id + 3, 'tools/call', { name: 'list_dir', arguments: { dir: 7 } }),
        );
      await talk.tell(lines.join('\n'));
      for (let id = 0; id <= 60; id++) await talk.hear((heard) => heard.id === id);
    },
  },
  'a line that is too long': {
    talk: async (talk) => {
      await handshake(talk);
      await talk.tell(`{"jsonrpc":"2.0","id":"long","method":"ping","params":{"x":"${'y'.repeat(64 * 1_048_576)}"}}`);
      await talk.hear(({ id }) => id === 'long');
      await talk.ask('ping');
    },
  },
  'long texts': {
    talk: async (talk) => {
      await handshake(talk);
      const path = talk.workspace.path('long.txt');
      const content = 'größe = "漢字"; // 😀\n'.repeat(250_000);
      await talk.call('write_text_file', { path, content });
      await talk.call('read_text_file', { path });
      await talk.call('edit_text_file', { path, old_string: content, new_string: `${content}.` });
      await talk.call('edit_text_file', { path, old_string: content, new_string: content });
      await talk.call('write_file', { file: 'long.txt', content });
      await talk.call('edit_file', { file: 'long.txt', find: content, replace: '' });
      await talk.call('read_file', { file: content });
      await talk.call(content);
      await talk.ask(content);
      await talk.ask('ping', { [content]: content });
    },
  },
  'a person who says yes': { talk: askedPerson({ action: 'accept', content: { approve: true } }) },
  'a person who says no': { talk: askedPerson({ action: 'decline' }) },
  'a person who cannot be asked': {
    talk: async (talk) => {
      await handshake(talk);
      await talk.call('hello');
      await talk.call('write_memory_entry', ENTRY);
      await talk.call('hello');
    },
  },
  'a person who says yes, in the newest revision': {
    talk: async (talk) => {
      const meta = modernMeta({ elicitation: { form: {} } });
      const params = { name: 'write_memory_entry', arguments: ENTRY };
      await talk.askModern('tools/call', { name: 'hello' }, meta);
      const { result } = await talk.askModern('tools/call', params, meta);
      const inputResponses = { approve: { action: 'accept', content: { approve: true } } };
      const again = { ...params, inputResponses, requestState: result?.requestState };
      await talk.askModern('tools/call', again, meta);
      await talk.askModern('tools/call', again, meta);
      await talk.askModern('tools/call', params);
      await talk.callModern('hello');
    },
  },
};

function usual(version: string): Conversation {
  return async (talk) => {
    writeSampleFiles(talk.workspace);
    await handshake(talk, { protocolVersion: version });
    await inTurn(talk, ['ping', 'tools/list']);
    await talk.call('hello', { name: 'Ada' });
    await talk.call('read_text_file', { path: talk.workspace.path('read.txt') });
    await talk.call('read_text_file', { path: talk.workspace.path('missing.txt') });
  };
}

function everyTool(road: (talk: Talk) => Talk['call'], open: Conversation = async () => {}): Conversation {
  return async (talk) => {
    writeSampleFiles(talk.workspace);
    await open(talk);
    for (const { tool, succeeds, fails } of sampleCalls(talk.workspace)) {
      await road(talk)(tool, succeeds);
      await road(talk)(tool, fails);
    }
  };
}

/** The older revisions: the server asks, and the call waits. */
function askedPerson(answer: object): Conversation {
  return async (talk) => {
    await handshake(talk, { capabilities: FORMS });
    await talk.call('hello');
    const written = talk.call('write_memory_entry', ENTRY);
    const { id } = await talk.hear(({ method }) => method === 'elicitation/create');
    await talk.call('hello');
    await talk.tell({ jsonrpc: '2.0', id, result: answer });
    await written;
    await talk.call('hello');
  };
}

/** Cancels a command when its process is there, and waits until the log says so: an answer would be out by then. */
async function cancelSleeper(talk: Talk, id: string | number, params: object, words: object = {}): Promise<void> {
  const marker = `started-${id}`;
  const script = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, ''); setTimeout(() => {}, 60000)`;
  const call = { name: 'run_command', arguments: { ...SLEEP, args: ['-e', script] }, ...params };
  const cancelled = () => talk.client.stderr().split('"status":"cancelled"').length;
  const before = cancelled();
  await talk.tell({ jsonrpc: '2.0', id, method: 'tools/call', params: call });
  await expect.poll(() => existsSync(talk.workspace.path(marker)), { timeout: 10_000 }).toBe(true);
  const cancel = { requestId: id, reason: 'enough', ...words };
  await talk.tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: cancel });
  await expect.poll(cancelled, { timeout: 10_000 }).toBe(before + 1);
}

async function handshake(talk: Talk, change: object = {}): Promise<void> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: CLIENT, ...change };
  await talk.ask('initialize', params);
  await talk.tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
}

async function inTurn(talk: Talk, methods: readonly string[]): Promise<void> {
  for (const method of methods) await talk.ask(method);
}
