/** What an editor gets from the bridge with the real Codex: its buffers are read and written, and its no is a no. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { denied } from '../harness/editor-buffers';
import { descendants } from '../harness/processes';
import { type AcpStage, BYE, ROUTES, says, setStage, toolCall } from './acp-stage';
import { CODEX, install } from './foreign';

let stage: AcpStage;
beforeAll(async () => void (await install(CODEX)));
afterEach(() => stage?.close());

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe.each(ROUTES)('with --codex-tools %s', (route) => {
  const args = ['--codex-tools', route];
  const read = (path: string) => says(toolCall(route, 'read_text_file', { path }));

  it('the model reads what was typed and not saved', async () => {
    stage = await setStage(({ path }) => ({ look: [read(path('a.txt')), BYE] }), { 'a.txt': 'on disk\n' });
    const file = stage.workspace.path('a.txt');
    const client = await stage.open({ args, buffers: { [file]: 'unsaved\n' } });
    const { stopReason, updates } = await client.prompt(await client.newSession(stage.workspace.root), 'look');
    expect(stopReason).toBe('end_turn');
    expect(stage.model.outputs('look')[0]).toContain('unsaved');
    expect(updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call')).toMatchObject([
      { kind: 'read', locations: [{ path: file }] },
    ]);
    expect(updates.at(-1)).toMatchObject({ sessionUpdate: expect.stringMatching(/agent_message_chunk|usage_update/) });
  });

  it('an edit changes the buffer and leaves the disk alone', async () => {
    const edit = { old_string: 'two', new_string: '2' };
    stage = await setStage(
      ({ path }) => ({ edit: [says(toolCall(route, 'edit_text_file', { path: path('a.txt'), ...edit })), BYE] }),
      { 'a.txt': 'on disk\n' },
    );
    const file = stage.workspace.path('a.txt');
    const client = await stage.open({ args, buffers: { [file]: 'one\ntwo\n' } });
    const { updates } = await client.prompt(await client.newSession(stage.workspace.root), 'edit');
    expect(client.editor.open.get(file)).toBe('one\n2\n');
    expect(stage.workspace.read('a.txt')).toBe('on disk\n');
    expect(updates).toContainEqual(
      expect.objectContaining({
        status: 'completed',
        content: [expect.objectContaining({ type: 'diff', path: file, oldText: 'one\ntwo\n', newText: 'one\n2\n' })],
      }),
    );
  });

  it('what the editor will not show is not read from disk', async () => {
    stage = await setStage(({ path }) => ({ look: [read(path('a.txt')), BYE] }), { 'a.txt': 'a-secret\n' });
    const client = await stage.open({ args });
    client.editor.beforeRead = () => {
      throw denied('fs/read_text_file');
    };
    const { updates } = await client.prompt(await client.newSession(stage.workspace.root), 'look');
    expect(updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'failed' }));
    expect(stage.model.outputs('look')).toHaveLength(1);
    expect(JSON.stringify(stage.model.requests())).not.toContain('a-secret');
  });

  it('what the editor will not write is not written to disk', async () => {
    const write = (path: string) => says(toolCall(route, 'write_text_file', { path, content: 'lost\n' }));
    stage = await setStage(({ path }) => ({ write: [write(path('a.txt')), write(path('b.txt')), BYE] }), {
      'a.txt': 'on disk\n',
    });
    const client = await stage.open({ args });
    client.editor.beforeWrite = () => {
      throw denied('fs/write_text_file');
    };
    await client.prompt(await client.newSession(stage.workspace.root), 'write');
    expect(client.editor.asked.filter((asked) => asked.startsWith('write'))).toHaveLength(2);
    expect(stage.workspace.read('a.txt')).toBe('on disk\n');
    expect(() => readFileSync(stage.workspace.path('b.txt'))).toThrow('ENOENT');
  });

  it('a cancel in the middle of a call ends the turn, and the next prompt is answered', async () => {
    stage = await setStage(({ path }) => ({ look: [read(path('a.txt')), BYE], again: [BYE] }), { 'a.txt': 'x\n' });
    const client = await stage.open({ args });
    let wasAborted = false;
    client.editor.beforeRead = async (_, signal) => {
      void client.cancel(session);
      await aborted(signal);
      wasAborted = true;
    };
    const session = await client.newSession(stage.workspace.root);
    const { stopReason, updates } = await client.prompt(session, 'look');
    expect(stopReason).toBe('cancelled');
    expect(wasAborted).toBe(true);
    expect(updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'failed' }));
    expect((await client.prompt(session, 'again')).stopReason).toBe('end_turn');
  });

  it('a session is loaded in a new process, with its calls, and goes on', async () => {
    stage = await setStage(({ path }) => ({ look: [read(path('a.txt')), BYE], again: [read(path('a.txt')), BYE] }), {
      'a.txt': 'from disk\n',
    });
    const { root } = stage.workspace;
    const first = await stage.open({ args });
    const sessionId = await first.newSession(root);
    const { updates } = await first.prompt(sessionId, 'look');
    const told = updates.find(({ sessionUpdate }) => sessionUpdate === 'tool_call');
    expect(await first.leave()).toEqual({ code: 0, left: [] });

    const second = await stage.open({ args });
    await second.agent.request('session/load', { sessionId, cwd: root, mcpServers: [] });
    const replayed = second.updates(sessionId);
    expect(replayed.map(({ sessionUpdate }) => sessionUpdate).slice(0, 3)).toEqual([
      'user_message_chunk',
      'tool_call',
      'agent_message_chunk',
    ]);
    expect(replayed[1]).toMatchObject({
      toolCallId: (told as { toolCallId: string }).toolCallId,
      kind: 'read',
      status: 'completed',
    });
    expect((await second.prompt(sessionId, 'again')).stopReason).toBe('end_turn');
    expect(second.editor.asked).toEqual([`read ${stage.workspace.path('a.txt')}`]);
    // The model was shown what was said in the first process.
    expect(stage.model.outputs('again')).toHaveLength(2);
  });

  it('ends with the editor, in the middle of a turn, and leaves no process', async () => {
    stage = await setStage(() => ({ wait: [{ hang: [{ say: ['Half'] }] }] }));
    const client = await stage.open({ args });
    const session = await client.newSession(stage.workspace.root);
    void client.prompt(session, 'wait').catch(() => undefined);
    await stage.model.hanging();
    expect(descendants(client.pid).length).toBeGreaterThan(0);
    expect(await client.leave()).toEqual({ code: 0, left: [] });
  });
});
