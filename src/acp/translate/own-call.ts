/** A past call of one of our own tools, told in the words in which it was announced when it ran. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { FileDiff } from '../../contract/call';
import type { Effect } from '../../contract/contract';
import { readHunks } from '../../text/read-hunks';
import { fieldsOf, textOf } from '../codex/protocol/json-fields';
import { type AnnouncedCall, beginEvent, completeEvent, failedEvent } from '../seed-events';
import { toWireEvent } from '../wire-events';
import type { ToolItem } from './items';
import { shownJson } from './shown-json';
import { absolutePath, locationsOf } from './shown-path';

export function ownCallUpdate(id: string, item: ToolItem, effect: Effect, cwd: string): SessionUpdate {
  const input = fieldsOf(shownJson(item.arguments));
  const locations = locationsOf(cwd, input);
  const call: AnnouncedCall = { sessionId: '', id, tool: item.tool, effect, input, locations };
  const begun = toWireEvent(beginEvent(call)).params.update;
  const end = item.status === 'inProgress' ? {} : endOf(call, item, cwd);
  return { ...begun, ...end, sessionUpdate: 'tool_call', title: begun.title ?? item.tool } as SessionUpdate;
}

function endOf(call: AnnouncedCall, item: ToolItem, cwd: string) {
  const output = fieldsOf(shownJson(answerOf(item)));
  const end = item.status === 'completed' ? completeEvent(call, output) : failedEvent(call, output);
  return toWireEvent(end, diffsOf(call.input, output, cwd)).params.update;
}

/** Our answer: an object, which a dynamic tool carries as the JSON of its first text. */
function answerOf(item: ToolItem): unknown {
  if (item.type === 'mcpToolCall' && item.structuredContent !== undefined) return item.structuredContent;
  const text = item.type === 'dynamicToolCall' ? item.texts[0] : textOf(fieldsOf(item.content[0]).text);
  if (item.type === 'mcpToolCall' && item.error !== '') return { error: { message: item.error } };
  return text === undefined || text === '' ? {} : parsed(text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Codex cuts a long answer before it keeps it.
    return { text };
  }
}

function diffsOf(
  { path }: AnnouncedCall['input'],
  { diff }: Readonly<Record<string, unknown>>,
  cwd: string,
): FileDiff[] {
  if (typeof path !== 'string') return [];
  const at = absolutePath(cwd, path);
  return readHunks(textOf(diff)).map(({ oldText, newText }) => ({ path: at, oldText, newText }));
}
