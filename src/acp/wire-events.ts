/**
 * The same events as valid ACP v1, which is what editors accept: flat fields, `toolCallId`, kind `edit` for a write,
 * diffs as `{type: diff}`. The contracts' own form travels under `_meta`.
 */
import type { ToolCall, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { FileDiff } from '../contract/call';
import type { SeedEvent, SeedKind, SeedUpdate } from './seed-events';

type WireKind = Exclude<SeedKind, 'write'>;

export function toWireEvent(event: SeedEvent, diffs: readonly FileDiff[] = []) {
  const { sessionId, update } = event.params;
  return { method: event.method, params: { sessionId, update: toWireUpdate(update, diffs) } };
}

export type WireUpdate =
  | ({ sessionUpdate: 'tool_call' } & ToolCall)
  | ({ sessionUpdate: 'tool_call_update' } & ToolCallUpdate);

function toWireUpdate(update: SeedUpdate, diffs: readonly FileDiff[]): WireUpdate {
  const content = diffs.map((diff) => ({ type: 'diff' as const, ...diff }));
  if (update.type === 'toolCall') {
    const { id, kind, title, status, locations, rawInput } = update;
    const wireKind: WireKind = kind === 'write' ? 'edit' : kind;
    return {
      sessionUpdate: 'tool_call' as const,
      toolCallId: id,
      title,
      kind: wireKind,
      status,
      locations: [...locations],
      rawInput,
      ...(content.length > 0 && { content }),
      _meta: { tenon: update },
    };
  }
  const { status, rawOutput, content: shown } = update.fields;
  const text = (shown ?? []).map((item) => ({ type: 'content' as const, content: item }));
  return {
    sessionUpdate: 'tool_call_update' as const,
    toolCallId: update.id,
    status,
    rawOutput,
    ...(content.length + text.length > 0 && { content: content.length > 0 ? content : text }),
    _meta: { tenon: update },
  };
}
