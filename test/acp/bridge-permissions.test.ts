/** Who is asked about what, what they see, and what becomes of their answer. */
import { existsSync } from 'node:fs';
import type { RequestPermissionRequest } from '@agentclientprotocol/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AcpClient, ALLOW, ALLOW_FOR_SESSION, REJECT } from '../harness/acp-client';
import { type BridgeStage, call, callsIn, lastCall, setStage } from '../harness/bridge-stage';

let stage: BridgeStage;
let client: AcpClient;
let session: string;
let file: string;

beforeAll(async () => {
  stage = setStage();
  client = await stage.open({ args: ['--mode', 'read-only'] });
});
beforeEach(async () => {
  file = stage.workspace.write('a.txt', 'one\ntwo\n');
  client.questions.length = 0;
  client.permit = () => ALLOW;
  session = await client.newSession(stage.workspace.root);
});
afterEach(() => stage.expectValid());
afterAll(() => stage?.close());

const EDIT = call('edit_text_file', { path: '{cwd}/a.txt', old_string: 'two', new_string: '2' });
const write = (name: string) => call('write_file', { file: name, content: 'x' });
const run = (command: string) => call('run_command', { command, args: ['-e', 'console.log("a b")'] });
const titles = () => client.questions.map(({ toolCall }) => toolCall.title);
const shown = ({ toolCall }: RequestPermissionRequest) => JSON.stringify(toolCall.content);

describe('a question about one of our tools', () => {
  it('shows the diff, before anything has happened [bridge.permission.diff]', async () => {
    let seen = '';
    client.permit = ({ toolCall }) => {
      seen = `${stage.workspace.read('a.txt')}${client.updates(session).at(-1)?.sessionUpdate} ${toolCall.toolCallId}`;
      return ALLOW;
    };
    const { updates } = await client.prompt(session, EDIT);
    expect(client.questions).toMatchObject([
      {
        sessionId: session,
        toolCall: {
          title: `edit_text_file ${file}`,
          kind: 'edit',
          content: [{ type: 'diff', path: file, oldText: 'one\ntwo\n', newText: 'one\n2\n' }],
        },
        options: [{ kind: 'allow_once' }, { kind: 'allow_always' }, { kind: 'reject_once' }],
      },
    ]);
    expect(seen).toBe(`one\ntwo\ntool_call ${callsIn(updates)[0]?.toolCallId}`);
    expect(stage.workspace.read('a.txt')).toBe('one\n2\n');
  });

  it('shows the command line [bridge.permission.diff]', async () => {
    await client.prompt(session, run('node'));
    expect(titles()).toEqual([`run_command node -e 'console.log("a b")'`]);
  });

  it('allowed once is asked again [bridge.permission.once]', async () => {
    await client.prompt(session, [write('b.txt'), write('c.txt')].join('\n'));
    expect(titles()).toEqual(['write_file b.txt', 'write_file c.txt']);
  });

  it('allowed for the session is not asked again, but for another tool or program it is [bridge.permission.session]', async () => {
    client.permit = () => ALLOW_FOR_SESSION;
    await client.prompt(session, [write('b.txt'), write('c.txt'), EDIT].join('\n'));
    expect(titles()).toEqual(['write_file b.txt', `edit_text_file ${file}`]);
    client.questions.length = 0;
    await client.prompt(session, [run('node'), run('node'), run('python3')].join('\n'));
    expect(titles()?.map((title) => title?.split(' ')[1])).toEqual(['node', 'python3']);
    client.questions.length = 0;
    await client.prompt(await client.newSession(stage.workspace.root), write('d.txt'));
    expect(titles()).toEqual(['write_file d.txt']);
  });

  it('rejected changes nothing, and Codex is told [bridge.permission.reject]', async () => {
    client.permit = () => REJECT;
    const { updates } = await client.prompt(session, write('rejected.txt'));
    expect(lastCall(updates)).toMatchObject({ status: 'failed' });
    expect(JSON.stringify(stage.answered().at(-1))).toContain('the user declined');
    expect(existsSync(stage.workspace.path('rejected.txt'))).toBe(false);
  });

  it('that the editor cannot put counts as no [bridge.permission.reject]', async () => {
    client.permit = () => Promise.reject(new Error('no window'));
    await client.prompt(session, write('unasked.txt'));
    expect(existsSync(stage.workspace.path('unasked.txt'))).toBe(false);
  });

  it.each(['read-only', 'agent', 'full-access', 'editor-only'])(
    'a memory entry asks each time, in %s too [bridge.permission.memory]',
    async (modeId) => {
      await client.agent.request('session/set_mode', { sessionId: session, modeId });
      client.permit = () => ALLOW_FOR_SESSION;
      const entry = call('write_memory_entry', { file: 'best_practices.md', entry: `in ${modeId}` });
      await client.prompt(session, entry);
      client.permit = () => ALLOW;
      await client.prompt(session, entry);
      expect(client.questions).toHaveLength(2);
      expect(client.questions[0]?.options.map(({ kind }) => kind)).toEqual(['allow_once', 'reject_once']);
      expect(shown(client.questions[0] as RequestPermissionRequest)).toContain(`in ${modeId}`);
      // What was not offered is no yes.
      expect(stage.workspace.read('.claude/memory/best_practices.md').split(`in ${modeId}`)).toHaveLength(2);
    },
  );
});

describe('a question of Codex', () => {
  it.each([
    ['exec', ALLOW, 'accept', 'completed'],
    ['exec', ALLOW_FOR_SESSION, 'acceptForSession', 'completed'],
    ['exec', REJECT, 'decline', 'failed'],
    ['patch', ALLOW, 'accept', 'completed'],
    ['patch', ALLOW_FOR_SESSION, 'acceptForSession', 'completed'],
    ['patch', REJECT, 'decline', 'failed'],
  ])(
    '%s, answered with %j, is answered with %s [bridge.permission.commands, bridge.permission.patches]',
    async (kind, outcome, decision, status) => {
      client.permit = () => outcome;
      const { updates } = await client.prompt(session, kind);
      expect(stage.answered().at(-1)?.result).toEqual({ decision });
      const [question] = client.questions;
      expect(question && shown(question)).toContain(kind === 'exec' ? '```sh' : '"type":"diff"');
      const asked = callsIn(updates).filter(({ toolCallId }) => toolCallId === question?.toolCall.toolCallId);
      expect(asked.at(-1)).toMatchObject({ status });
    },
  );

  it.each([
    [ALLOW, { action: 'accept', _meta: null }],
    [ALLOW_FOR_SESSION, { action: 'accept', _meta: { persist: 'session' } }],
    [REJECT, { action: 'decline' }],
  ])('about a tool of another server, answered with %j [bridge.permission.elicitation]', async (outcome, answer) => {
    client.permit = () => outcome;
    await client.prompt(session, 'mcp-approval');
    expect(client.questions).toHaveLength(1);
    expect(client.questions[0]?.toolCall.rawInput).not.toEqual({});
    expect(stage.answered().at(-1)?.result).toMatchObject(answer);
  });

  it.each([
    ['item/permissions/requestApproval', { permissions: { network: { enabled: true } } }, 'result'],
    [
      'mcpServer/elicitation/request',
      { mode: 'form', serverName: 's', message: 'Name?', requestedSchema: {} },
      'result',
    ],
    ['mcpServer/elicitation/request', { mode: 'url', serverName: 's', message: 'Go', url: 'http://x' }, 'result'],
    ['item/tool/requestUserInput', { questions: [{ id: 'q', header: 'h', question: '?', options: null }] }, 'result'],
    ['item/commandExecution/requestApproval', {}, 'result'],
    ['item/fileChange/requestApproval', { itemId: 'unknown' }, 'result'],
    ['item/tool/call', { tool: 'nobody', callId: 'c', arguments: null }, 'result'],
    ['account/chatgptAuthTokens/refresh', {}, 'error'],
    ['some/day', {}, 'error'],
    ['item/fileChange/requestApproval', { threadId: 'of-nobody' }, 'error'],
  ])('%s %j is answered with a %s [bridge.permission.always-answered]', async (method, params, kind) => {
    const before = stage.answered().length;
    const { stopReason } = await client.prompt(session, `ask ${method} ${JSON.stringify(params)}`);
    expect(stopReason).toBe('end_turn');
    const [answer, ...more] = stage.answered().slice(before);
    expect(more).toEqual([]);
    expect(answer?.[kind as 'result' | 'error']).toBeDefined();
  });

  it('is answered by a cancel when the prompt is cancelled [bridge.permission.always-answered, bridge.cancel.question]', async () => {
    const undecided = new Promise<never>(() => {});
    const asked = new Promise<void>((resolve) => {
      client.permit = () => {
        resolve();
        return undecided;
      };
    });
    const prompt = client.prompt(session, 'exec');
    await asked;
    await client.cancel(session);
    expect((await prompt).stopReason).toBe('cancelled');
    // The turn may be over before Codex has read the answer.
    await expect.poll(() => stage.answered().at(-1)?.result, { timeout: 5000 }).toEqual({ decision: 'cancel' });
    expect(client.frames.some(({ line }) => line.includes('$/cancel_request'))).toBe(true);
  });
});
