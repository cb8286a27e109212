/** Sessions with the real Codex: two at once, one whose Codex dies, and those that are listed, resumed and deleted. */
import { readFileSync } from 'node:fs';
import type { ListSessionsResponse, SessionUpdate } from '@agentclientprotocol/sdk';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { AcpClient } from '../harness/acp-client';
import { descendants, remaining } from '../harness/processes';
import { type AcpStage, BYE, says, setStage, toolCall } from './acp-stage';
import { CODEX, install } from './foreign';

let stage: AcpStage;
beforeAll(async () => void (await install(CODEX)));
afterEach(() => stage?.close());

const read = (path: string) => says(toolCall('dynamic', 'read_text_file', { path }));

it('two sessions work at once, each with its own buffers and its own answers', async () => {
  stage = await setStage(({ path }) => ({
    oak: [read(path('oak.txt')), says({ say: ['It is ', 'oak.'] })],
    elm: [read(path('elm.txt')), says({ say: ['It is ', 'elm.'] })],
  }));
  const { path, root } = stage.workspace;
  const client = await stage.open({ buffers: { [path('oak.txt')]: 'oak\n', [path('elm.txt')]: 'elm\n' } });
  // Neither is answered before both have asked.
  let asked = 0;
  let answerAll: () => void = () => {};
  const both = new Promise<void>((resolve) => {
    answerAll = resolve;
  });
  client.editor.beforeRead = () => {
    asked += 1;
    if (asked === 2) answerAll();
    return both;
  };
  const sessions = [await client.newSession(root), await client.newSession(root)] as const;
  const ends = await Promise.all([client.prompt(sessions[0], 'oak'), client.prompt(sessions[1], 'elm')]);
  expect(ends.map(({ stopReason }) => stopReason)).toEqual(['end_turn', 'end_turn']);
  expect(ends.map(({ updates }) => textOf(updates))).toEqual(['It is oak.', 'It is elm.']);
  expect(stage.model.outputs('oak')).toEqual([expect.stringContaining('oak')]);
  expect(stage.model.outputs('elm')).toEqual([expect.stringContaining('elm')]);
});

it('a Codex that is killed in the middle is replaced, the person is told, and the conversation goes on', async () => {
  stage = await setStage(() => ({
    before: [says({ say: 'Remember this.' })],
    wait: [{ hang: [{ say: ['Half'] }] }],
    after: [BYE],
  }));
  const client = await stage.open();
  const session = await client.newSession(stage.workspace.root);
  await client.prompt(session, 'before');
  const prompt = client.prompt(session, 'wait');
  await stage.model.hanging();
  const killed = killCodex(client);
  const { stopReason, updates } = await prompt;
  expect(stopReason).toBe('end_turn');
  expect(textOf(updates)).toMatch(/Codex was ended by SIGKILL.*started again/);
  expect((await client.prompt(session, 'after')).stopReason).toBe('end_turn');
  expect(JSON.stringify(stage.model.requests().at(-1)?.input)).toContain('Remember this.');
  expect(await remaining(killed)).toEqual([]);
  expect((await client.leave()).left).toEqual([]);
});

it('a Codex that is killed between prompts is replaced without a word', async () => {
  stage = await setStage(() => ({ before: [says({ say: 'Remember this.' })], after: [BYE] }));
  const client = await stage.open();
  const session = await client.newSession(stage.workspace.root);
  await client.prompt(session, 'before');
  expect(await remaining(killCodex(client))).toEqual([]);
  const { stopReason, updates } = await client.prompt(session, 'after');
  expect([stopReason, textOf(updates)]).toEqual(['end_turn', 'Done.']);
  expect(JSON.stringify(stage.model.requests().at(-1)?.input)).toContain('Remember this.');
});

it('a session is listed for its folder, resumed in a new process without a replay, and deleted', async () => {
  stage = await setStage(({ path }) => ({ before: [BYE], look: [read(path('a.txt')), BYE] }), { 'a.txt': 'x\n' });
  const { root } = stage.workspace;
  const first = await stage.open();
  const sessionId = await first.newSession(root);
  await first.prompt(sessionId, 'before');
  await first.leave();

  const second = await stage.open();
  expect((await list(second, root)).map((session) => session.sessionId)).toEqual([sessionId]);
  expect(await list(second, '/elsewhere')).toEqual([]);
  await second.agent.request('session/resume', { sessionId, cwd: root, mcpServers: [] });
  expect(second.updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate.endsWith('_chunk'))).toEqual([]);
  expect((await second.prompt(sessionId, 'look')).stopReason).toBe('end_turn');
  expect(second.editor.asked).toEqual([`read ${stage.workspace.path('a.txt')}`]);
  await second.agent.request('session/delete', { sessionId });
  expect(await list(second, root)).toEqual([]);
});

it('a cancel while the model thinks ends the turn', async () => {
  stage = await setStage(() => ({ wait: [{ hang: [{ say: ['Half'] }] }], after: [BYE] }));
  const client = await stage.open();
  const session = await client.newSession(stage.workspace.root);
  const prompt = client.prompt(session, 'wait');
  await stage.model.hanging();
  await client.cancel(session);
  expect((await prompt).stopReason).toBe('cancelled');
  expect((await client.prompt(session, 'after')).stopReason).toBe('end_turn');
});

it('a model that fails is told as an error, and the session lives on', async () => {
  stage = await setStage(() => ({ fail: [{ httpError: 500, message: 'ill' }], after: [BYE] }));
  const client = await stage.open();
  const session = await client.newSession(stage.workspace.root);
  await expect(client.prompt(session, 'fail')).rejects.toMatchObject({ code: -32603 });
  expect((await client.prompt(session, 'after')).stopReason).toBe('end_turn');
});

async function list(client: AcpClient, cwd: string): Promise<ListSessionsResponse['sessions']> {
  return (await client.agent.request<ListSessionsResponse>('session/list', { cwd })).sessions;
}

function textOf(updates: readonly SessionUpdate[]): string {
  return updates
    .map((update) =>
      update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
    )
    .join('');
}

/** The launcher and what it launched. */
function killCodex({ pid }: AcpClient): number[] {
  const codex = descendants(pid).filter((id) => readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('app-server'));
  for (const id of codex) process.kill(id, 'SIGKILL');
  return codex;
}
