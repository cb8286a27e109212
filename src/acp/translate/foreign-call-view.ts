/** Calls of tools that are not ours: those of other MCP servers, and dynamic tools that an older version left. */
import type { ToolCallContent } from '@agentclientprotocol/sdk';
import { shorten } from '../../text/truncate';
import type { ItemOf } from '../codex/protocol/items';
import { fieldsOf } from '../codex/protocol/json-fields';
import type { CallView } from './call-view';
import { imageContent, MAX_SHOWN_CHARACTERS, textContent, titleFrom } from './content';
import { shownJson } from './shown-json';

export function mcpCallView(item: ItemOf<'mcpToolCall'>): CallView {
  const error = item.error === '' ? [] : [textContent(shorten(item.error, MAX_SHOWN_CHARACTERS))];
  const content = [...item.content.flatMap(shownBlock), ...error];
  return {
    title: titleFrom(`${item.server}: ${item.tool}`),
    kind: item.readOnly ? 'read' : 'other',
    status: item.status,
    rawInput: shownJson(item.arguments ?? {}),
    ...(content.length > 0 && { content }),
    ...(item.status !== 'inProgress' && { rawOutput: shownJson(rawOutputOf(item)) }),
  };
}

export function dynamicCallView(item: ItemOf<'dynamicToolCall'>): CallView {
  const content = item.texts.map((text) => textContent(shorten(text, MAX_SHOWN_CHARACTERS)));
  return {
    title: titleFrom(item.tool),
    kind: 'other',
    status: item.status,
    rawInput: shownJson(item.arguments ?? {}),
    ...(content.length > 0 && { content }),
    ...(item.status !== 'inProgress' && { rawOutput: shownJson({ texts: item.texts }) }),
  };
}

function rawOutputOf({ content, structuredContent, error }: ItemOf<'mcpToolCall'>): object {
  if (error !== '') return { error };
  return { content, ...(structuredContent !== undefined && { structuredContent }) };
}

/** Texts and pictures are shown; the rest is in the raw output. */
function shownBlock(value: unknown): ToolCallContent[] {
  const { type, text, data, mimeType } = fieldsOf(value);
  if (type === 'text' && typeof text === 'string') return [textContent(shorten(text, MAX_SHOWN_CHARACTERS))];
  const picture = type === 'image' && typeof data === 'string' && typeof mimeType === 'string';
  return picture ? [imageContent(data, mimeType)] : [];
}
