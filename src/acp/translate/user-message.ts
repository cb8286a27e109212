/** What a person had written, as an editor shows it when a session is opened again. */
import { basename } from 'node:path';
import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk';
import type { UserInput } from '../codex/protocol/items';
import { fileUriOf } from './file-uri';

export function userMessageUpdates(messageId: string, inputs: readonly UserInput[]): SessionUpdate[] {
  return inputs.map((input) => ({ sessionUpdate: 'user_message_chunk', messageId, content: blockOf(input) }));
}

function blockOf(input: UserInput): ContentBlock {
  if (input.type === 'text') return { type: 'text', text: input.text };
  if (input.type === 'image') return pictureBlock(input.url);
  const name = input.type === 'localImage' ? basename(input.path) : input.name;
  return { type: 'resource_link', name, uri: fileUriOf(input.path) };
}

function pictureBlock(url: string): ContentBlock {
  const [, mimeType, data] = /^data:(image\/[\w.+-]+);base64,(.*)$/s.exec(url) ?? [];
  if (mimeType !== undefined && data !== undefined) return { type: 'image', mimeType, data };
  return { type: 'resource_link', name: 'image', uri: url };
}
