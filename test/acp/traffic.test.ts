/** Every recording of the real app-server, told to an editor. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { expect, it } from 'vitest';
import { createItemTranslator, type ToolItem } from '../../src/acp/translate/items';
import { replay } from '../../src/acp/translate/replay';
import { validUpdates } from '../harness/acp-schema';
import { repository } from '../harness/binary';

interface Frame {
  readonly method?: string;
  readonly result?: { readonly thread?: { readonly turns?: readonly unknown[] } };
  readonly params?: {
    readonly turn?: { readonly id: string };
    readonly item?: { readonly type: string; readonly text?: string };
  };
}

const folder = join(repository, 'test', 'acp', 'traffic');
const isOurs = (item: ToolItem) => item.type === 'dynamicToolCall' || item.server === 'tenon';

function framesOf(recording: string): Frame[] {
  const text = readFileSync(join(folder, recording), 'utf8').replaceAll('{cwd}', '/ws');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines
    .map((line) => JSON.parse(line))
    .flatMap(({ from, frame }) => (from === 'server' ? [frame as Frame] : []));
}

function play(frames: readonly Frame[]): SessionUpdate[] {
  const translator = createItemTranslator({ cwd: '/ws', isOurs });
  return frames.flatMap(({ method = '', params }) => [
    ...translator.notified(method, params),
    ...(method === 'turn/completed' ? translator.ended(params?.turn?.id ?? '') : []),
  ]);
}

function textOf(updates: readonly SessionUpdate[], kind: SessionUpdate['sessionUpdate']): string {
  return updates
    .filter(({ sessionUpdate }) => sessionUpdate === kind)
    .map((update) => ('content' in update && update.content && 'text' in update.content ? update.content.text : ''))
    .join('');
}

it.each(readdirSync(folder))(
  '%s: valid updates, each call begun and ended once, each message told once',
  (recording) => {
    const frames = framesOf(recording);
    const updates = validUpdates(play(frames));
    const states = new Map<string, string>();
    for (const update of updates) {
      if (update.sessionUpdate === 'tool_call') expect(states.has(update.toolCallId)).toBe(false);
      else if (update.sessionUpdate === 'tool_call_update') expect(states.get(update.toolCallId)).toBe('in_progress');
      else continue;
      states.set(update.toolCallId, update.status ?? 'in_progress');
    }
    expect([...states.values()].filter((state) => state !== 'completed' && state !== 'failed')).toEqual([]);
    const said = frames.flatMap(({ method, params }) =>
      method === 'item/completed' && params?.item?.type === 'agentMessage' ? [params.item.text ?? ''] : [],
    );
    for (const message of said) expect(textOf(updates, 'agent_message_chunk').split(message)).toHaveLength(2);
  },
);

it('a session that is opened again shows what it showed before', () => {
  const histories = framesOf('resume.jsonl').flatMap(({ result }) =>
    result?.thread?.turns ? [result.thread.turns] : [],
  );
  const updates = validUpdates(replay(histories.at(-1) ?? [], { cwd: '/ws', isOurs, effectOf: () => 'read' }));
  const turn = ['user_message_chunk', 'tool_call', 'agent_message_chunk'];
  expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual(turn);
});
