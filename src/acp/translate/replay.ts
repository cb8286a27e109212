/** The turns of a stored session, as the updates from which an editor builds its conversation anew. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Effect } from '../../contract/contract';
import type { ThreadItem } from '../codex/protocol/items';
import { readTurn, type Turn } from '../codex/protocol/turns';
import { createItemTranslator, type ItemTranslator, type TranslatorOptions } from './items';
import { ownCallUpdate } from './own-call';
import { toolCallIdOf } from './tool-call-id';
import { userMessageUpdates } from './user-message';

export interface ReplayOptions extends TranslatorOptions {
  /** What one of our tools does; undefined for a name that is none of ours any more. */
  readonly effectOf: (tool: string) => Effect | undefined;
}

/** Each call comes once, with its end, under the id that it had when it ran. */
export function replay(turns: readonly unknown[], options: ReplayOptions): SessionUpdate[] {
  return turns.map(readTurn).flatMap((turn) => replayTurn(turn, options));
}

function replayTurn(turn: Turn, options: ReplayOptions): SessionUpdate[] {
  // Our own calls are told here; whatever else comes by is translated as it was when it ran.
  const translator = createItemTranslator({ cwd: options.cwd, isOurs: () => false });
  return turn.items.flatMap((item) => replayItem(turn, settled(turn, item), translator, options));
}

function replayItem(turn: Turn, item: ThreadItem, translator: ItemTranslator, options: ReplayOptions): SessionUpdate[] {
  const id = toolCallIdOf(turn.id, item.id);
  if (item.type === 'userMessage') return userMessageUpdates(id, item.content);
  if ((item.type === 'dynamicToolCall' || item.type === 'mcpToolCall') && options.isOurs(item)) {
    const effect = options.effectOf(item.tool);
    if (effect !== undefined) return [ownCallUpdate(id, item, effect, options.cwd)];
  }
  const isOpen = 'status' in item && item.status === 'inProgress';
  return isOpen ? translator.started(turn.id, item) : translator.completed(turn.id, item);
}

/** What was still running when its turn ended will not go on. */
function settled(turn: Turn, item: ThreadItem): ThreadItem {
  const isOpen = 'status' in item && item.status === 'inProgress' && turn.status !== 'inProgress';
  return isOpen ? { ...item, status: 'failed' } : item;
}
