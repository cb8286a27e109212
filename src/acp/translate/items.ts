/**
 * What Codex tells of a turn, as the updates that an editor is shown. A translator belongs to one session: it remembers
 * what the editor has seen already, so that nothing is said twice and only what changed is sent again.
 */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { ItemOf, ThreadItem } from '../codex/protocol/items';
import { fieldsOf, textOf } from '../codex/protocol/json-fields';
import { readItem } from '../codex/protocol/read-item';
import { createCallTranslator } from './call-updates';
import { createMessageTranslator } from './message-updates';
import { stepsUpdate } from './plan';
import { toolCallIdOf } from './tool-call-id';
import { usageUpdate } from './usage';

export interface ItemTranslator {
  /** A notification of the app-server; those that an editor is not shown give nothing. */
  notified(method: string, params: unknown): SessionUpdate[];
  started(turnId: string, item: ThreadItem): SessionUpdate[];
  completed(turnId: string, item: ThreadItem): SessionUpdate[];
  /** The turn is over: calls of which no end was told have failed. */
  ended(turnId: string): SessionUpdate[];
}

export type ToolItem = ItemOf<'dynamicToolCall'> | ItemOf<'mcpToolCall'>;

export interface TranslatorOptions {
  /** The session's folder. */
  readonly cwd: string;
  /** Calls of our own tools are announced by the tools' side. */
  readonly isOurs: (item: ToolItem) => boolean;
}

export function createItemTranslator({ cwd, isOurs }: TranslatorOptions): ItemTranslator {
  const calls = createCallTranslator(cwd);
  const messages = createMessageTranslator();
  const isHidden = (item: ThreadItem) =>
    (item.type === 'dynamicToolCall' || item.type === 'mcpToolCall') && isOurs(item);

  const translator: ItemTranslator = {
    started: (turnId, item) => (isHidden(item) ? [] : calls.started(toolCallIdOf(turnId, item.id), item)),
    completed(turnId, item) {
      const id = toolCallIdOf(turnId, item.id);
      return isHidden(item) ? [] : [...messages.completed(id, item), ...calls.completed(id, item)];
    },
    notified(method, params) {
      const fields = fieldsOf(params);
      const turnId = textOf(fields.turnId);
      if (method === 'item/started') return translator.started(turnId, readItem(fields.item));
      if (method === 'item/completed') return translator.completed(turnId, readItem(fields.item));
      if (method === 'turn/plan/updated') return stepsUpdate(params);
      if (method === 'thread/tokenUsage/updated') return usageUpdate(params);
      const id = toolCallIdOf(turnId, textOf(fields.itemId));
      return [...messages.notified(method, id, fields), ...calls.notified(method, id, fields)];
    },
    ended(turnId) {
      messages.forget();
      return calls.ended(toolCallIdOf(turnId, ''));
    },
  };
  return translator;
}
