/** What the editor is shown while Codex works: our calls from their announcement to their end, and Codex's own. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AcpClient } from '../harness/acp-client';
import { type BridgeStage, call, callsIn, setStage, textsIn } from '../harness/bridge-stage';

let stage: BridgeStage;
let client: AcpClient;
let session: string;
let file: string;

beforeAll(async () => {
  stage = setStage();
  client = await stage.open();
});
beforeEach(async () => {
  file = stage.workspace.write('a.txt', 'one\ntwo\n');
  client.editor.asked.length = 0;
  client.editor.beforeWrite = () => {};
  session = await client.newSession(stage.workspace.root);
});
afterEach(() => stage.expectValid());
afterAll(() => stage?.close());

const toldBy = async (prompt: string) => (await client.prompt(session, prompt)).updates;
const EDIT = { path: '{cwd}/a.txt', old_string: 'two', new_string: '2' };

describe('a call of our tools', () => {
  it('is told as pending, in_progress and completed [bridge.events.pending, bridge.events.running, bridge.events.end]', async () => {
    const diff = { type: 'diff', path: file, oldText: 'one\ntwo\n', newText: 'one\n2\n' };
    const told = callsIn(await toldBy(call('edit_text_file', EDIT)));
    const [toolCallId] = told.map((update) => update.toolCallId);
    expect(told).toMatchObject([
      {
        sessionUpdate: 'tool_call',
        toolCallId,
        status: 'pending',
        kind: 'edit',
        title: 'edit_text_file',
        locations: [{ path: file }],
        rawInput: { ...EDIT, path: file },
        content: [diff],
      },
      { sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status: 'completed',
        rawOutput: { success: true, diff: expect.stringContaining('+2') },
        content: [diff],
      },
    ]);
  });

  it.each([
    ['read_text_file', { path: '{cwd}/a.txt', line: 2 }, 'read', [{ path: 'a.txt', line: 2 }]],
    ['write_file', { file: 'workspace/b.txt', content: 'x' }, 'edit', [{ path: 'b.txt' }]],
    ['delete_file', { path: 'b.txt' }, 'delete', [{ path: 'b.txt' }]],
    ['move_file', { from: 'a.txt', to: 'c.txt' }, 'move', [{ path: 'a.txt' }, { path: 'c.txt' }]],
    ['run_command', { command: 'node', args: ['--version'] }, 'execute', []],
  ])('%s is shown as what it does, and where [bridge.events.pending]', async (tool, input, kind, places) => {
    const [begin] = callsIn(await toldBy(call(tool, input)));
    const locations = places.map((place) => ({ ...place, path: stage.workspace.path(place.path) }));
    expect(begin).toMatchObject({ kind, title: tool, status: 'pending', locations });
  });

  it('shows long contents in part [bridge.events.pending]', async () => {
    const content = 'x'.repeat(20_000);
    const [begin] = callsIn(await toldBy(call('write_text_file', { path: '{cwd}/long.txt', content })));
    const { content: shown } = (begin?.rawInput ?? {}) as { content?: string };
    expect(shown).toHaveLength(10_240);
    expect(stage.workspace.read('long.txt')).toBe(content);
  });

  it.each([
    ['an edit', call('edit_text_file', EDIT)],
    ['a new text', call('write_text_file', { path: '{cwd}/a.txt', content: 'one\n2\n' })],
  ])(
    '%s is announced before anything has changed [bridge.events.preview, bridge.events.pending]',
    async (_, prompt) => {
      let seen: SessionUpdate[] = [];
      client.editor.beforeWrite = () => {
        seen = client.updates(session).filter(({ sessionUpdate }) => sessionUpdate === 'tool_call');
        expect(stage.workspace.read('a.txt')).toBe('one\ntwo\n');
      };
      await toldBy(prompt);
      expect(seen).toMatchObject([{ status: 'pending', content: [{ newText: 'one\n2\n' }] }]);
      expect(client.editor.asked.filter((asked) => asked.startsWith('write'))).toHaveLength(1);
    },
  );

  it('that fails is told as failed, with the answer that Codex gets [bridge.events.end]', async () => {
    const told = callsIn(await toldBy(call('read_text_file', { path: '{cwd}/none.txt' })));
    expect(told.at(-1)).toMatchObject({ status: 'failed', rawOutput: { error: { code: -32001 } } });
    const { result } = stage.answered().at(-1) as { result: { success: boolean; contentItems: { text: string }[] } };
    expect(result.success).toBe(false);
    expect(JSON.parse(result.contentItems[0]?.text ?? '')).toEqual(told.at(-1)?.rawOutput);
  });

  it('that is none of ours, or has no arguments that fit, is answered too [bridge.events.end]', async () => {
    const told = callsIn(await toldBy([call('no_such_tool', {}), call('read_text_file', { path: 7 })].join('\n')));
    expect(told.map(({ status }) => status)).toEqual(['pending', 'failed', 'pending', 'failed']);
  });

  it.each(['in its order', 'late'])('is one call, whichever comes first: %s [bridge.events.joined]', async (order) => {
    const prompt = [order, call('read_text_file', { path: '{cwd}/a.txt' })].join('\n');
    const statuses = callsIn(await toldBy(prompt)).map(({ status }) => status);
    expect(statuses).toEqual(['pending', 'in_progress', 'completed']);
  });

  it('made several times at once is as many calls [bridge.events.joined]', async () => {
    const read = call('read_text_file', { path: '{cwd}/a.txt' });
    const told = callsIn(await toldBy(['together', read, read, read].join('\n')));
    expect(new Set(told.map(({ toolCallId }) => toolCallId)).size).toBe(3);
    expect(told.filter(({ status }) => status === 'completed')).toHaveLength(3);
    expect(told).toHaveLength(9);
  });

  it('that never comes has failed when the turn is over [bridge.events.interrupted]', async () => {
    const item = { type: 'dynamicToolCall', id: 'c', tool: 'read_text_file', arguments: {}, status: 'inProgress' };
    const told = callsIn(await toldBy(`tell item/started ${JSON.stringify({ item })}`));
    expect(told.map(({ status }) => status)).toEqual(['pending', 'failed']);
  });

  it('that is open when the turn is interrupted has failed [bridge.events.interrupted]', async () => {
    client.editor.beforeRead = (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
    const prompt = client.prompt(session, call('read_text_file', { path: '{cwd}/a.txt' }));
    await client.told(session, (update) => update.sessionUpdate === 'tool_call_update');
    await client.cancel(session);
    const { stopReason, updates } = await prompt;
    client.editor.beforeRead = () => {};
    expect(stopReason).toBe('cancelled');
    expect(callsIn(updates).map(({ status }) => status)).toEqual(['pending', 'in_progress', 'failed']);
  });
});

describe('of Codex’s own', () => {
  it('a command is shown with its output [bridge.events.commands]', async () => {
    const told = callsIn(await toldBy('exec-free'));
    expect(told[0]).toMatchObject({ sessionUpdate: 'tool_call', kind: 'execute', status: 'in_progress' });
    expect(told.at(-1)).toMatchObject({ sessionUpdate: 'tool_call_update', status: 'completed' });
    expect(JSON.stringify(told)).toContain('"type":"content"');
  });

  it('a patch is shown with its diffs [bridge.events.patches]', async () => {
    const [begin, ...rest] = callsIn(await toldBy('patch-free'));
    expect(begin).toMatchObject({
      kind: 'edit',
      content: expect.arrayContaining([{ ...DIFF, path: expect.any(String) }]),
    });
    expect(rest.at(-1)).toMatchObject({ status: 'completed' });
  });

  it('plans and thoughts are shown as such [bridge.events.plans]', async () => {
    const kinds = (await toldBy('reasoning-plan')).map(({ sessionUpdate }) => sessionUpdate);
    expect(kinds).toEqual(expect.arrayContaining(['agent_thought_chunk', 'plan', 'agent_message_chunk']));
  });

  it('messages are shown as they are written, once [bridge.events.messages]', async () => {
    const told = await toldBy('message');
    expect(told.filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk').length).toBeGreaterThan(1);
    expect(textsIn(await toldBy('message-whole'))).not.toBe('');
  });

  it('the use of the context is told [bridge.events.usage]', async () => {
    expect(await toldBy('message')).toContainEqual(
      expect.objectContaining({ sessionUpdate: 'usage_update', used: expect.any(Number), size: expect.any(Number) }),
    );
  });

  it('a search on the web is shown [bridge.events.searches]', async () => {
    const told = callsIn(await toldBy('web-search'));
    expect(told[0]).toMatchObject({ sessionUpdate: 'tool_call', kind: 'search' });
    expect(told.at(-1)).toMatchObject({ status: 'completed' });
  });

  it('a turn that fails is an error with the reason [bridge.events.failed-turn]', async () => {
    await expect(client.prompt(session, 'model-error')).rejects.toMatchObject({ code: -32603 });
    expect((await client.prompt(session, 'message')).stopReason).toBe('end_turn');
  });
});

const DIFF = { type: 'diff', newText: expect.any(String), oldText: expect.anything() };

describe('--acp-events seed', () => {
  it('tells calls as the contracts print them [bridge.events.form]', async () => {
    const own = setStage({ 'a.txt': 'one\n' });
    const teller = await own.open({ args: ['--acp-events', 'seed'] });
    const within = await teller.newSession(own.workspace.root);
    const { updates } = await teller.prompt(within, call('read_text_file', { path: '{cwd}/a.txt' }));
    expect(updates).toContainEqual({
      type: 'toolCall',
      id: expect.any(String),
      kind: 'read',
      status: 'pending',
      title: 'read_text_file',
      locations: [{ path: own.workspace.path('a.txt') }],
      rawInput: { path: own.workspace.path('a.txt') },
    });
    expect(updates).toContainEqual({
      type: 'toolCallUpdate',
      id: expect.any(String),
      fields: { status: 'completed', rawOutput: expect.objectContaining({ content: 'one\n' }) },
    });
    await own.close();
  });
});
