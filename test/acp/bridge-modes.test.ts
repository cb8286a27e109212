/** How much Codex may do by itself: what it is told, and what is asked. */
import { existsSync } from 'node:fs';
import { methods, type NewSessionResponse, RequestError, type SessionConfigOption } from '@agentclientprotocol/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type AcpClient, ALLOW } from '../harness/acp-client';
import { type BridgeStage, call, setStage } from '../harness/bridge-stage';

let stage: BridgeStage;
let client: AcpClient;
let opened: NewSessionResponse;
let session: string;

beforeAll(async () => {
  stage = setStage();
  client = await stage.open();
});
beforeEach(async () => {
  stage.workspace.write('a.txt', 'one\n');
  client.questions.length = 0;
  client.permit = () => ALLOW;
  opened = await client.agent.request(methods.agent.session.new, { cwd: stage.workspace.root, mcpServers: [] });
  session = opened.sessionId;
});
afterEach(() => stage.expectValid());
afterAll(() => stage?.close());

const switchTo = (modeId: string, by = client, sessionId = session) =>
  by.agent.request(methods.agent.session.setMode, { sessionId, modeId });
const lastTurn = () => stage.asked('turn/start').at(-1);
const titles = () => client.questions.map(({ toolCall }) => toolCall.title?.split(' ')[0]);

const EVERYTHING = [
  call('read_file', { file: 'a.txt' }),
  call('edit_file', { file: 'a.txt', find: 'one', replace: 'two' }),
  call('write_file', { file: 'b.txt', content: 'x' }),
  call('mkdir', { dir: 'deep' }),
  call('move_file', { from: 'b.txt', to: 'deep/b.txt' }),
  call('delete_file', { path: 'deep/b.txt' }),
  call('run_command', { command: 'node', args: ['--version'] }),
].join('\n');

it('a session begins as agent, and offers the others [bridge.mode.chosen]', () => {
  expect(opened.modes).toMatchObject({
    currentModeId: 'agent',
    availableModes: [{ id: 'read-only' }, { id: 'agent' }, { id: 'full-access' }, { id: 'editor-only' }],
  });
});

it('agent: Codex writes in the folder; only a command without a sandbox asks [bridge.mode.agent]', async () => {
  await client.prompt(session, EVERYTHING);
  expect(titles()).toEqual(['run_command']);
  expect(stage.asked('thread/start').at(-1)).toMatchObject({
    sandbox: 'workspace-write',
    approvalPolicy: 'on-request',
    approvalsReviewer: 'user',
  });
  expect(lastTurn()).toMatchObject({
    approvalPolicy: 'on-request',
    approvalsReviewer: 'user',
    sandboxPolicy: { type: 'workspaceWrite', writableRoots: [stage.workspace.root], networkAccess: false },
  });
  expect(lastTurn()).not.toHaveProperty('environments');
});

it('read-only: every change asks, no read does [bridge.mode.read-only, bridge.mode.switched]', async () => {
  await switchTo('read-only');
  await client.prompt(session, EVERYTHING);
  expect(titles()).toEqual(['edit_file', 'write_file', 'mkdir', 'move_file', 'delete_file', 'run_command']);
  expect(lastTurn()).toMatchObject({
    approvalPolicy: 'on-request',
    sandboxPolicy: { type: 'readOnly', networkAccess: false },
  });
});

it('full-access: no sandbox, and nothing asks [bridge.mode.full-access, bridge.mode.switched]', async () => {
  await switchTo('full-access');
  await client.prompt(session, EVERYTHING);
  expect(titles()).toEqual([]);
  expect(lastTurn()).toMatchObject({ approvalPolicy: 'never', sandboxPolicy: { type: 'dangerFullAccess' } });
});

const ENCLOSED = {
  environments: [],
  approvalPolicy: 'never',
  sandboxPolicy: { type: 'readOnly', networkAccess: false },
};

it('editor-only: no environment in any turn, a read-only sandbox, and what no editor does asks [bridge.mode.editor-only]', async () => {
  await switchTo('editor-only');
  for (let turn = 0; turn < 2; turn++) {
    await client.prompt(session, 'message');
    expect(lastTurn()).toMatchObject(ENCLOSED);
  }
  await client.prompt(session, EVERYTHING);
  expect(titles()).toEqual(['mkdir', 'move_file', 'delete_file', 'run_command']);
  expect(client.editor.asked).toContain(`write ${stage.workspace.path('a.txt')}`);
});

it('the mode is the same whichever way it is switched, and the editor hears of it [bridge.mode.switched]', async () => {
  await switchTo('editor-only');
  expect(client.updates(session)).toContainEqual({
    sessionUpdate: 'current_mode_update',
    currentModeId: 'editor-only',
  });
  const { configOptions } = await choose('mode', 'read-only');
  expect(valuesOf(configOptions)).toMatchObject({ mode: 'read-only' });
  expect(client.updates(session)).toContainEqual({ sessionUpdate: 'current_mode_update', currentModeId: 'read-only' });
  await expect(switchTo('no-such-mode')).rejects.toMatchObject({ code: -32602 });
});

it('after editor-only the environment comes back, also before the first turn [bridge.mode.editor-only-left, bridge.mode.chosen]', async () => {
  const local = [{ environmentId: 'local', cwd: stage.workspace.root, runtimeWorkspaceRoots: [stage.workspace.root] }];
  await switchTo('editor-only');
  await client.prompt(session, 'message');
  await switchTo('agent');
  await client.prompt(session, 'message');
  expect(lastTurn()).toMatchObject({ environments: local });
  await client.prompt(session, 'message');
  expect(lastTurn()).not.toHaveProperty('environments');

  const enclosed = await stage.open({ args: ['--mode', 'editor-only'] });
  const within = await enclosed.newSession(stage.workspace.root);
  expect(stage.asked('thread/start').at(-1)).toMatchObject({ environments: [], sandbox: 'read-only' });
  await switchTo('agent', enclosed, within);
  await enclosed.prompt(within, 'message');
  expect(lastTurn()).toMatchObject({ environments: local });
  await enclosed.stop();
});

it('editor-only: an editor that takes no texts is asked about each [bridge.mode.editor-only]', async () => {
  const args = ['--mode', 'editor-only'];
  const readOnly = await stage.open({ args, fs: { writeTextFile: false }, permit: () => ({ outcome: 'cancelled' }) });
  const within = await readOnly.newSession(stage.workspace.root);
  await readOnly.prompt(within, call('write_file', { file: 'behind.txt', content: 'x' }));
  expect(readOnly.questions).toHaveLength(1);
  expect(existsSync(stage.workspace.path('behind.txt'))).toBe(false);
  await readOnly.stop();
});

it('editor-only: a Codex that knows no environments has the read-only sandbox [bridge.mode.editor-only-old]', async () => {
  const old = await stage.open({ args: ['--mode', 'editor-only'], env: { FAKE_CODEX_LACKS: 'environments' } });
  const { stopReason } = await old.prompt(await old.newSession(stage.workspace.root), 'message');
  expect(stopReason).toBe('end_turn');
  const { environments: _, ...enclosed } = ENCLOSED;
  expect(lastTurn()).toMatchObject(enclosed);
  await old.stop();
});

const choose = (configId: string, value: string) =>
  client.agent.request(methods.agent.session.setConfigOption, { sessionId: session, configId, value });

function valuesOf(options: readonly SessionConfigOption[] | null | undefined): Record<string, unknown> {
  return Object.fromEntries((options ?? []).map(({ id, currentValue }) => [id, currentValue]));
}

it('model and effort are options, and hold from the next turn [bridge.options.model]', async () => {
  const models = opened.configOptions?.find(({ id }) => id === 'model');
  const [first] = models?.type === 'select' ? models.options : [];
  const value = first && 'value' in first ? first.value : '';
  expect(models).toMatchObject({ category: 'model', currentValue: expect.any(String) });
  const { configOptions } = await choose('model', value);
  const efforts = configOptions.find(({ id }) => id === 'effort');
  expect(efforts).toMatchObject({ category: 'thought_level' });
  await choose('effort', 'low');
  await client.prompt(session, 'message');
  expect(lastTurn()).toMatchObject({ model: value, effort: 'low' });
  await expect(choose('no-such-option', 'x')).rejects.toMatchObject({ code: -32602 });
});

it('editor-only: a text that the editor does not take after all is not written to disk [bridge.mode.editor-only]', async () => {
  await switchTo('editor-only');
  client.editor.beforeWrite = () => {
    throw RequestError.methodNotFound('fs/write_text_file');
  };
  const { updates } = await client.prompt(session, call('write_file', { file: 'a.txt', content: 'past the editor' }));
  client.editor.beforeWrite = () => {};
  expect(stage.workspace.read('a.txt')).toBe('one\n');
  expect(updates).toContainEqual(
    expect.objectContaining({
      status: 'failed',
      rawOutput: { ok: false, error: expect.objectContaining({ message: expect.stringContaining('past it') }) },
    }),
  );
});
