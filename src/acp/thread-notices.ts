/** What Codex tells of a thread: shown in the editor, and noted where the session needs to know. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Params } from './codex/connection';
import type { ThreadItem } from './codex/protocol/items';
import { readItem } from './codex/protocol/read-item';
import { readTurn } from './codex/protocol/turns';
import type { OpenCalls } from './open-calls';
import { createItemTranslator, type ToolItem } from './translate/items';
import type { Turn } from './turn';
import { describeUsage, errorInfo } from './turn-report';

export interface ThreadNoticesParts {
  readonly cwd: string;
  readonly calls: OpenCalls;
  readonly send: (update: SessionUpdate) => void;
  /** The one that is being worked on. */
  readonly turn: () => Turn | undefined;
  readonly isOurs: (item: ToolItem) => boolean;
  readonly commandRan: () => void;
  /** An item was started; a question of Codex may name it. */
  readonly started: (item: ThreadItem) => void;
}

export interface ThreadNotices {
  notified(method: string, params: Params): void;
  /** How full the context is, as Codex last told it. */
  usage(): string;
}

export function createThreadNotices(parts: ThreadNoticesParts): ThreadNotices {
  const { calls, send } = parts;
  const translator = createItemTranslator({ cwd: parts.cwd, isOurs: parts.isOurs });
  let tokens = '';
  return { notified, usage: () => tokens };

  function notified(method: string, params: Params): void {
    // What comes after the answer to a prompt belongs to no prompt.
    const turn = parts.turn();
    if (turn) for (const update of translator.notified(method, params)) send(update);
    switch (method) {
      case 'item/started':
        if (turn) itemStarted(params);
        break;
      case 'item/completed':
        itemCompleted(params);
        break;
      case 'turn/started':
        turn?.named(readTurn(params.turn).id);
        break;
      case 'turn/completed':
        endTurn(turn, params);
        break;
      case 'thread/tokenUsage/updated':
        tokens = describeUsage(params);
        break;
      case 'thread/name/updated':
        rename(params);
        break;
    }
  }

  function itemStarted(params: Params): void {
    const item = readItem(params.item);
    if (item.type === 'commandExecution') parts.commandRan();
    parts.started(item);
    if (isTool(item) && parts.isOurs(item))
      calls.foretold({ turnId: String(params.turnId), callId: item.id, tool: item.tool, input: item.arguments });
  }

  function itemCompleted(params: Params): void {
    const item = readItem(params.item);
    if (isTool(item) && parts.isOurs(item))
      calls.settled(String(params.turnId), item.id, { error: { message: 'Codex did not make the call' } });
  }

  function endTurn(turn: Turn | undefined, params: Params): void {
    const { id, status, error } = readTurn(params.turn);
    for (const update of translator.ended(id)) send(update);
    if (status === 'failed') turn?.end({ kind: 'failed', message: error, info: errorInfo(params) });
    else turn?.end({ kind: status === 'interrupted' ? 'interrupted' : 'completed' });
  }

  function rename({ threadName }: Params): void {
    if (typeof threadName === 'string') send({ sessionUpdate: 'session_info_update', title: threadName });
  }
}

function isTool(item: ThreadItem): item is ToolItem {
  return item.type === 'dynamicToolCall' || item.type === 'mcpToolCall';
}
