/** How a prompt, a Codex and the agent itself come to an end. */
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AcpClient, ALLOW } from '../harness/acp-client';
import { nodeBinary } from '../harness/binary';
import { type BridgeStage, call, callsIn, lastCall, setStage, textsIn } from '../harness/bridge-stage';
import { fakeCodex } from '../harness/fake-home';
import { descendants, remaining } from '../harness/processes';

let stage: BridgeStage;
let client: AcpClient;
let session: string;
let cwd: string;

beforeAll(async () => {
  stage = setStage({ 'a.txt': 'one\n' });
  cwd = stage.workspace.root;
  client = await stage.open();
});
beforeEach(async () => {
  client.editor.beforeRead = () => {};
  client.permit = () => ALLOW;
  session = await client.newSession(cwd);
});
afterEach(() => stage.expectValid());
afterAll(() => stage?.close());

const READ = call('read_text_file', { path: '{cwd}/a.txt' });
const SLEEPER = 'fs.writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000)';
const SLEEP = call('run_command', { command: 'node', args: ['-e', SLEEPER] });

const codexOf = (agent: AcpClient) => descendants(agent.pid)[0] ?? 0;

/** Waits for the command to be there; gives its process. */
async function sleeper(): Promise<number> {
  const file = stage.workspace.path('pid');
  const pid = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
  await until(() => pid() > 0);
  return pid();
}

async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; looks < 1000 && !isSo(); looks++) await sleep(20);
  expect(isSo()).toBe(true);
}

/** Holds the next read of the editor; resolves when it has come. */
function holdRead(): Promise<void> {
  return new Promise((resolve) => {
    client.editor.beforeRead = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('nobody waits')));
        resolve();
      });
  });
}

describe('a cancelled prompt', () => {
  it('ends as cancelled, and its command with it [bridge.cancel]', async () => {
    const prompt = client.prompt(session, SLEEP);
    const pid = await sleeper();
    await client.cancel(session);
    const { stopReason, updates } = await prompt;
    expect(stopReason).toBe('cancelled');
    expect(lastCall(updates)).toMatchObject({ status: 'failed' });
    expect(await remaining([pid])).toEqual([]);
    expect((await client.prompt(session, 'message')).stopReason).toBe('end_turn');
  });

  it('takes an open question back, and nothing is changed [bridge.cancel.question]', async () => {
    await client.agent.request('session/set_mode', { sessionId: session, modeId: 'read-only' });
    const undecided = new Promise<never>(() => {});
    const asked = new Promise<void>((resolve) => {
      client.permit = () => {
        resolve();
        return undecided;
      };
    });
    const prompt = client.prompt(session, call('write_text_file', { path: '{cwd}/a.txt', content: 'new\n' }));
    await asked;
    await client.cancel(session);
    expect((await prompt).stopReason).toBe('cancelled');
    expect(stage.workspace.read('a.txt')).toBe('one\n');
    expect(client.frames.some(({ line }) => line.includes('$/cancel_request'))).toBe(true);
  });

  it('ends also where Codex does not react, and the next one has another Codex [bridge.cancel.silent]', async () => {
    const before = codexOf(client);
    const prompt = client.prompt(session, 'silent');
    await until(() => stage.asked('turn/start').some(({ threadId }) => threadId === session));
    await client.cancel(session);
    const { stopReason, updates } = await prompt;
    expect(stopReason).toBe('cancelled');
    expect(textsIn(updates)).toContain('Codex did not stop');
    expect(await remaining([before])).toEqual([]);
    const next = await client.prompt(session, READ);
    expect(lastCall(next.updates)).toMatchObject({ status: 'completed' });
    expect(codexOf(client)).not.toBe(before);
    expect(stage.asked('thread/resume').at(-1)).toMatchObject({ threadId: session, cwd });
  });
});

describe('a Codex that dies', () => {
  it('in a turn is replaced, its thread resumed, and the person told [bridge.lost.dead]', async () => {
    const held = holdRead();
    const prompt = client.prompt(session, READ);
    await held;
    process.kill(codexOf(client), 'SIGKILL');
    const { stopReason, updates } = await prompt;
    expect(stopReason).toBe('end_turn');
    expect(callsIn(updates).at(-1)).toMatchObject({ status: 'failed' });
    expect(textsIn(updates)).toMatch(/SIGKILL.*started again/);
    client.editor.beforeRead = () => {};
    expect(stage.asked('thread/resume').at(-1)).toMatchObject({ threadId: session });
    // What had been done by then is not known: it is not done again by itself.
    expect(stage.asked('turn/start').filter(({ threadId }) => threadId === session)).toHaveLength(1);
    expect(lastCall((await client.prompt(session, READ)).updates)).toMatchObject({ status: 'completed' });
  });

  it('between prompts is replaced for the next, with the settings of now [bridge.lost.idle]', async () => {
    await client.prompt(session, 'message');
    await client.agent.request('session/set_mode', { sessionId: session, modeId: 'read-only' });
    const logged = client.log().length;
    process.kill(codexOf(client), 'SIGKILL');
    // A prompt that comes before the agent has noticed is one that was lost on its way.
    await until(() => client.log().slice(logged).includes('SIGKILL'));
    expect(lastCall((await client.prompt(session, READ)).updates)).toMatchObject({ status: 'completed' });
    expect(stage.asked('thread/resume').at(-1)).toMatchObject({ threadId: session, sandbox: 'read-only' });
  });

  it('and cannot be started again is told, and tried again [bridge.lost.for-good]', async () => {
    const good = `#!/bin/sh\nexec '${nodeBinary()}' '${fakeCodex}' "$@"\n`;
    const program = (text: string) => stage.workspace.write('codex', text);
    chmodSync(program(good), 0o755);
    const own = await stage.open({ env: { CODEX_PATH: stage.workspace.path('codex') } });
    const within = await own.newSession(cwd);
    program('#!/bin/sh\nexit 3\n');
    expect(textsIn((await own.prompt(within, 'die')).updates)).toMatch(/could not be started again.*code 3/);
    await expect(own.prompt(within, 'message')).rejects.toThrow(/code 3/);
    program(good);
    expect((await own.prompt(within, 'message')).stopReason).toBe('end_turn');
    await own.stop();
  });
});

describe('the end of stdin', () => {
  it('ends everything, with a command and a question under way [bridge.end.stdin]', async () => {
    stage.workspace.write('pid', '');
    const own = await stage.open({ args: ['--codex-tools', 'mcp'] });
    void own.prompt(await own.newSession(cwd), SLEEP).catch(() => {});
    const command = await sleeper();
    own.permit = () => new Promise(() => {});
    void own.prompt(await own.newSession(cwd), 'exec').catch(() => {});
    await until(() => own.questions.length === 2);
    expect(await own.leave()).toEqual({ code: 0, left: [] });
    expect(await remaining([command])).toEqual([]);
  });

  it('ends a Codex that never greeted [bridge.end.stdin]', async () => {
    const own = await stage.open({
      env: { CODEX_PATH: stage.workspace.write('mute.cjs', 'setInterval(() => {}, 1000)') },
    });
    void own.newSession(cwd).catch(() => {});
    await until(() => codexOf(own) !== 0);
    expect(await own.leave()).toEqual({ code: 0, left: [] });
  });
});

it('prompts, texts and the token are never logged [bridge.end.quiet]', async () => {
  const secret = 'a-word-of-the-person';
  const talking = `process.stderr.write(${JSON.stringify(secret)});\nimport(${JSON.stringify(pathToFileURL(fakeCodex).href)})`;
  const own = await stage.open({
    args: ['--log-level', 'debug', '--codex-tools', 'mcp'],
    env: { CODEX_PATH: stage.workspace.write('talking.cjs', talking) },
    buffers: { [stage.workspace.path('a.txt')]: secret },
  });
  const within = await own.newSession(cwd);
  const write = call('write_text_file', { path: '{cwd}/a.txt', content: secret });
  await own.prompt(within, `${secret}\n${READ}\n${write}\n${call(secret, { secret })}`);
  await own.prompt(within, `die ${secret}`);
  await own.agent.request('session/prompt', { sessionId: within, prompt: [{ type: secret }] }).catch(() => {});
  await own.agent.notify('session/cancel', { sessionId: { secret } }).catch(() => {});
  const { config } = stage.asked('thread/resume').at(-1) as { config: object };
  const [, token = ''] = /Bearer ([\w-]+)/.exec(JSON.stringify(config)) ?? [];
  await own.leave();
  expect(own.log()).toContain('"tool":"read_text_file"');
  expect(own.log()).not.toContain(secret);
  expect(token).not.toBe('');
  expect(own.log()).not.toContain(token);
});
