/** Calls: announced when they start, updated with what changed, closed when they or their turn are over. */
import type { SessionUpdate, ToolCallStatus } from '@agentclientprotocol/sdk';
import { keepEnd } from '../../text/truncate';
import type { ItemStatus, ThreadItem } from '../codex/protocol/items';
import { type Fields, listOf, textOf } from '../codex/protocol/json-fields';
import { readChange } from '../codex/protocol/read-item';
import { type CallView, callView } from './call-view';
import { outputContent } from './command-view';
import { MAX_SHOWN_CHARACTERS, textContent } from './content';

export interface CallTranslator {
  started(id: string, item: ThreadItem): SessionUpdate[];
  notified(method: string, id: string, fields: Fields): SessionUpdate[];
  completed(id: string, item: ThreadItem): SessionUpdate[];
  /** Closes the calls that are still open and whose ids begin like this. */
  ended(idPrefix: string): SessionUpdate[];
}

interface OpenCall {
  readonly item: ThreadItem;
  readonly view: CallView;
  /** What a command said so far, or the end of it. */
  output: string;
}

const STATUSES: Readonly<Record<ItemStatus, ToolCallStatus>> = {
  inProgress: 'in_progress',
  completed: 'completed',
  failed: 'failed',
};

export function createCallTranslator(cwd: string): CallTranslator {
  const open = new Map<string, OpenCall>();

  function started(id: string, item: ThreadItem): SessionUpdate[] {
    const view = callView(item, cwd);
    if (view === undefined || open.has(id)) return [];
    open.set(id, { item, view, output: '' });
    return [announcement(id, view, 'inProgress')];
  }

  function said(id: string, call: OpenCall, delta: string): SessionUpdate[] {
    call.output = keepEnd(call.output + delta, MAX_SHOWN_CHARACTERS);
    return [
      { sessionUpdate: 'tool_call_update', toolCallId: id, status: 'in_progress', content: outputContent(call.output) },
    ];
  }

  function repatched(id: string, call: OpenCall, changes: readonly unknown[]): SessionUpdate[] {
    if (call.item.type !== 'fileChange') return [];
    const item = { ...call.item, changes: changes.map(readChange) };
    const view = callView(item, cwd);
    if (view === undefined) return [];
    open.set(id, { ...call, item, view });
    return [{ sessionUpdate: 'tool_call_update', toolCallId: id, ...changed(call.view, view) }];
  }

  return {
    started,
    notified(method, id, { delta, changes, message }) {
      const call = open.get(id);
      if (call === undefined) return [];
      if (method === 'item/commandExecution/outputDelta') return said(id, call, textOf(delta));
      if (method === 'item/fileChange/patchUpdated') return repatched(id, call, listOf(changes));
      if (method !== 'item/mcpToolCall/progress' || textOf(message) === '') return [];
      return [{ sessionUpdate: 'tool_call_update', toolCallId: id, content: [textContent(textOf(message))] }];
    },
    completed(id, item) {
      const view = callView(item, cwd);
      if (view === undefined) return [];
      const status = view.status === 'failed' ? 'failed' : 'completed';
      const before = open.get(id);
      open.delete(id);
      if (before === undefined) return [announcement(id, view, status)];
      return [{ sessionUpdate: 'tool_call_update', toolCallId: id, ...changed(before.view, view), status }];
    },
    ended(idPrefix) {
      const left = [...open.keys()].filter((id) => id.startsWith(idPrefix));
      for (const id of left) open.delete(id);
      return left.map((toolCallId) => ({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' }));
    },
  };
}

function announcement(toolCallId: string, view: CallView, status: ItemStatus): SessionUpdate {
  return { sessionUpdate: 'tool_call', toolCallId, ...view, status: STATUSES[status] };
}

/** The fields of a view that the editor does not have yet. */
function changed(before: CallView, { status: _, ...after }: CallView): Partial<Omit<CallView, 'status'>> {
  const known = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]));
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => known.get(name) !== JSON.stringify(value)));
}
