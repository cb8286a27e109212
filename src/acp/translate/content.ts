/** The pieces of which updates are made. */
import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk';
import { shorten } from '../../text/truncate';

/** Past this, the beginning or the end of a text stands for all of it in what an editor is shown. */
export const MAX_SHOWN_CHARACTERS = 20_000;

const MAX_TITLE_CHARACTERS = 200;

type Speaker = 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk';

/** Nothing for an empty text. All chunks of one message carry its id. */
export function textChunk(sessionUpdate: Speaker, messageId: string, text: string): SessionUpdate[] {
  return text === '' ? [] : [{ sessionUpdate, messageId, content: { type: 'text', text } }];
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

export function imageContent(data: string, mimeType: string): ToolCallContent {
  return { type: 'content', content: { type: 'image', data, mimeType } };
}

/** On one line, and not too long for one. */
export function titleFrom(text: string): string {
  return shorten(text.replace(/[\s\p{Cc}]+/gu, ' ').trim(), MAX_TITLE_CHARACTERS);
}
