/** What the modes hold with the real Codex: its own shell and patches ask, or do nothing at all. */
import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AcpClient, ALLOW, ALLOW_FOR_SESSION, REJECT } from '../harness/acp-client';
import { type AcpStage, asksToRun, BYE, patches, ROUTES, runs, says, setStage, toolCall } from './acp-stage';
import { CODEX, install } from './foreign';

let stage: AcpStage;
beforeAll(async () => void (await install(CODEX)));
afterEach(() => stage?.close());

const UPDATE = patches('*** Update File: a.txt', '@@', '-one', '+1');
const BACK = patches('*** Update File: a.txt', '@@', '-1', '+one');
const ADD = patches('*** Add File: added.txt', '+new');

const setMode = (client: AcpClient, sessionId: string, modeId: string) =>
  client.agent.request('session/set_mode', { sessionId, modeId });

describe.each(ROUTES)('editor-only, with --codex-tools %s', (route) => {
  const args = ['--mode', 'editor-only', '--codex-tools', route];
  // The sandbox behind it would let a command read; without an environment it cannot even do that.
  const ATTEMPTS = [
    runs('cat hidden.txt'),
    runs('touch made.txt; echo lost > a.txt'),
    asksToRun('touch made.txt'),
    UPDATE,
    ADD,
    BYE,
  ];
  const FILES = { 'a.txt': 'one\n', 'hidden.txt': 'a-secret\n' };

  it('neither a shell nor a patch changes the disk, and our tools work', async () => {
    stage = await setStage(
      ({ path }) => ({
        try: ATTEMPTS,
        edit: [
          says(toolCall(route, 'edit_text_file', { path: path('a.txt'), old_string: 'one', new_string: '1' })),
          BYE,
        ],
      }),
      FILES,
    );
    const { path, root } = stage.workspace;
    const client = await stage.open({ args, buffers: { [path('a.txt')]: 'one\n' } });
    const session = await client.newSession(root);
    await client.prompt(session, 'try');
    expect(stage.model.outputs('try')).toHaveLength(5);
    await client.prompt(session, 'edit');
    expect(client.editor.open.get(path('a.txt'))).toBe('1\n');
    expect(stage.workspace.read('a.txt')).toBe('one\n');
    expect(readdirSync(root).sort()).toEqual(Object.keys(FILES));
    expect(JSON.stringify(stage.model.requests())).not.toContain('a-secret');
    expect(client.questions).toEqual([]);
  });

  it('holds in a session that is loaded in a new process', async () => {
    stage = await setStage(() => ({ hello: [BYE], try: ATTEMPTS }), FILES);
    const { root } = stage.workspace;
    const first = await stage.open({ args });
    const sessionId = await first.newSession(root);
    await first.prompt(sessionId, 'hello');
    await first.leave();
    const second = await stage.open({ args });
    await second.agent.request('session/load', { sessionId, cwd: root, mcpServers: [] });
    await second.prompt(sessionId, 'try');
    expect(stage.workspace.read('a.txt')).toBe('one\n');
    expect(readdirSync(root).sort()).toEqual(Object.keys(FILES));
    expect(JSON.stringify(stage.model.requests())).not.toContain('a-secret');
  });
});

it('editor-only: nor does a program that the model writes, or a look at an image', async () => {
  const program = (code: string) => says({ custom: 'exec', input: code });
  stage = await setStage(
    ({ path }) => ({
      try: [
        program(`text(JSON.stringify(await tools.exec_command({ cmd: 'cat hidden.txt; touch made.txt' })))`),
        program(`text(await tools.apply_patch('*** Begin Patch\\n*** Add File: made.txt\\n+x\\n*** End Patch\\n'))`),
        program(`text(JSON.stringify(await tools.view_image({ path: ${JSON.stringify(path('image.png'))} })))`),
        program(`text(JSON.stringify(await tools.read_text_file({ path: ${JSON.stringify(path('hidden.txt'))} })))`),
        BYE,
      ],
    }),
    { 'hidden.txt': 'a-secret\n', 'image.png': 'no image' },
  );
  const { path, root } = stage.workspace;
  const client = await stage.open({ args: ['--mode', 'editor-only'], buffers: { [path('hidden.txt')]: 'shown\n' } });
  const sessionId = await client.newSession(root);
  await client.agent.request('session/set_config_option', { sessionId, configId: 'model', value: 'scripted-code' });
  await client.prompt(sessionId, 'try');
  const outputs = stage.model.outputs('try');
  expect(outputs.slice(0, 3)).toEqual(Array(3).fill(expect.stringContaining('No usable execution environment')));
  expect(outputs[3]).toContain('shown');
  expect(JSON.stringify(stage.model.requests())).not.toContain('a-secret');
  expect(readdirSync(root).sort()).toEqual(['hidden.txt', 'image.png']);
});

it('no other agents work beside the session, where neither the editor nor a mode would hold them', async () => {
  const spawn = {
    call: 'spawn_agent',
    namespace: 'multi_agent_v1',
    arguments: { message: 'CHILD', agent_type: 'default' },
  };
  stage = await setStage(() => ({ CHILD: [ADD, BYE], spawn: [says(spawn), BYE] }));
  const client = await stage.open({ args: ['--mode', 'agent'] });
  await client.prompt(await client.newSession(stage.workspace.root), 'spawn');
  expect(stage.model.outputs('spawn')).toEqual([expect.stringContaining('unsupported call')]);
  expect(readdirSync(stage.workspace.root)).toEqual([]);
});

describe('read-only: a command is asked about', () => {
  const args = ['--mode', 'read-only'];
  const TWICE = { run: [asksToRun('touch made.txt'), BYE], again: [asksToRun('touch made.txt'), BYE] };
  const MADE = 'made.txt';

  it.each([
    ['once', ALLOW, 2, true],
    ['for the session', ALLOW_FOR_SESSION, 1, true],
    ['never', REJECT, 2, false],
  ])('and allowed %s', async (_, outcome, questions, isMade) => {
    stage = await setStage(() => TWICE);
    const client = await stage.open({ args, permit: () => outcome });
    const session = await client.newSession(stage.workspace.root);
    const { updates } = await client.prompt(session, 'run');
    expect(existsSync(stage.workspace.path(MADE))).toBe(isMade);
    expect(updates).toContainEqual(expect.objectContaining({ status: isMade ? 'completed' : 'failed' }));
    await client.prompt(session, 'again');
    expect(client.questions).toHaveLength(questions);
    expect(client.questions[0]?.toolCall).toMatchObject({ kind: 'execute', title: expect.stringContaining('touch') });
  });

  it('and dismissed: the turn ends', async () => {
    stage = await setStage(() => TWICE);
    const client = await stage.open({ args, permit: () => ({ outcome: 'cancelled' }) });
    const { stopReason } = await client.prompt(await client.newSession(stage.workspace.root), 'run');
    expect(stopReason).toBe('cancelled');
    expect(existsSync(stage.workspace.path(MADE))).toBe(false);
  });
});

describe('read-only: a patch is asked about, with its diff', () => {
  const args = ['--mode', 'read-only'];

  it.each([
    ['once', ALLOW, 2, '1\n', 'one\n'],
    ['for the session', ALLOW_FOR_SESSION, 1, '1\n', 'one\n'],
    ['never', REJECT, 2, 'one\n', 'one\n'],
  ])('and allowed %s', async (_, outcome, questions, after, atTheEnd) => {
    stage = await setStage(() => ({ change: [UPDATE, BYE], again: [BACK, BYE] }), { 'a.txt': 'one\n' });
    const client = await stage.open({ args, permit: () => outcome });
    const session = await client.newSession(stage.workspace.root);
    await client.prompt(session, 'change');
    expect(stage.workspace.read('a.txt')).toBe(after);
    expect(client.questions[0]?.toolCall.content).toMatchObject([
      { type: 'diff', path: stage.workspace.path('a.txt'), oldText: 'one\n', newText: '1\n' },
    ]);
    await client.prompt(session, 'again');
    expect(stage.workspace.read('a.txt')).toBe(atTheEnd);
    // A patch that does not fit is not asked about.
    expect(client.questions).toHaveLength(outcome === REJECT ? 1 : questions);
  });
});

it('a mode that is switched holds from the next prompt on, and back', async () => {
  stage = await setStage(
    () => ({ first: [ADD, BYE], second: [UPDATE, runs('cat a.txt hidden.txt'), BYE], third: [UPDATE, BYE] }),
    { 'a.txt': 'one\n', 'hidden.txt': 'a-secret\n' },
  );
  const client = await stage.open({ args: ['--mode', 'agent'] });
  const session = await client.newSession(stage.workspace.root);
  await client.prompt(session, 'first');
  expect(stage.workspace.read('added.txt')).toBe('new\n');
  await setMode(client, session, 'editor-only');
  await client.prompt(session, 'second');
  expect(stage.workspace.read('a.txt')).toBe('one\n');
  expect(JSON.stringify(stage.model.requests())).not.toContain('a-secret');
  await setMode(client, session, 'agent');
  await client.prompt(session, 'third');
  expect(stage.workspace.read('a.txt')).toBe('1\n');
  expect(client.updates(session)).toContainEqual({
    sessionUpdate: 'current_mode_update',
    currentModeId: 'editor-only',
  });
});
