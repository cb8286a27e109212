import type { ContentBlock } from '@agentclientprotocol/sdk';
import { expect, it } from 'vitest';
import { toUserInput } from '../../src/acp/translate/prompt';
import { userMessageUpdates } from '../../src/acp/translate/user-message';
import { validUpdates } from '../harness/acp-schema';

const text = (words: string) => ({ type: 'text', text: words, text_elements: [] });
const inputOf = (...blocks: ContentBlock[]) => toUserInput(blocks);

it('text stays text, block by block', () => {
  expect(inputOf({ type: 'text', text: 'look at ' }, { type: 'text', text: 'this' })).toEqual({
    input: [text('look at '), text('this')],
  });
});

it('a picture goes as it is; without its data, its address goes', () => {
  expect(inputOf({ type: 'image', data: 'aGk=', mimeType: 'image/png', uri: 'https://x.y/a.png' })).toEqual({
    input: [{ type: 'image', url: 'data:image/png;base64,aGk=' }],
  });
  expect(inputOf({ type: 'image', data: '', mimeType: 'image/png', uri: 'https://x.y/a.png' })).toEqual({
    input: [{ type: 'image', url: 'https://x.y/a.png' }],
  });
});

it('a linked file is named by its path, anything else by its address', () => {
  const mention = (uri: string, name: string) => inputOf({ type: 'resource_link', uri, name });
  expect(mention('file:///ws/a%20b.ts', 'a b.ts')).toEqual({ input: [text('/ws/a b.ts')] });
  expect(mention('file:///ws/a.ts#L10:20', 'a.ts')).toEqual({ input: [text('/ws/a.ts#L10:20')] });
  expect(mention('file:///ws/a.ts#L10', 'main')).toEqual({ input: [text('main (/ws/a.ts#L10)')] });
  expect(mention('zed:///thread/7', 'Yesterday')).toEqual({ input: [text('Yesterday (zed:///thread/7)')] });
  expect(mention('file:///ws/%ZZ', 'file:///ws/%ZZ')).toEqual({ input: [text('file:///ws/%ZZ')] });
});

it('an embedded text stands in a fence that it cannot end', () => {
  const resource = { uri: 'file:///ws/a.md', text: '```js\nx\n```\n', mimeType: 'text/markdown' };
  expect(inputOf({ type: 'resource', resource })).toEqual({
    input: [text('/ws/a.md:\n````\n```js\nx\n```\n````\n')],
  });
});

it('an embedded picture is a picture', () => {
  const resource = { uri: 'file:///ws/a.png', blob: 'aGk=', mimeType: 'image/png' };
  expect(inputOf({ type: 'resource', resource })).toEqual({
    input: [{ type: 'image', url: 'data:image/png;base64,aGk=' }],
  });
});

it('what Codex cannot take is a problem with a name', () => {
  const go: ContentBlock = { type: 'text', text: 'go' };
  expect(inputOf(go, { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' })).toEqual({
    problem: 'A prompt cannot carry audio.',
  });
  expect(inputOf(go, { type: 'resource', resource: { uri: 'file:///ws/a.zip', blob: 'aGk=' } })).toEqual({
    problem: '/ws/a.zip is neither text nor an image.',
  });
  expect(inputOf({ type: 'image', data: '', mimeType: 'image/png' })).toEqual({
    problem: 'An image needs its data, or an http address.',
  });
  expect(inputOf({ type: 'image', data: 'aGk=', mimeType: 'text/html' })).toEqual({
    problem: 'text/html is no type of image.',
  });
});

it('what was written is shown again when a session is opened', () => {
  const chunk = (content: object) => ({ sessionUpdate: 'user_message_chunk', messageId: 'm', content });
  expect(
    validUpdates(
      userMessageUpdates('m', [
        { type: 'text', text: 'go', text_elements: [] },
        { type: 'image', url: 'data:image/png;base64,aGk=' },
        { type: 'image', url: 'https://x.y/a.png' },
        { type: 'localImage', path: '/ws/a b.png' },
        { type: 'mention', name: 'notes', path: '/ws/notes.md' },
      ]),
    ),
  ).toEqual([
    chunk({ type: 'text', text: 'go' }),
    chunk({ type: 'image', mimeType: 'image/png', data: 'aGk=' }),
    chunk({ type: 'resource_link', name: 'image', uri: 'https://x.y/a.png' }),
    chunk({ type: 'resource_link', name: 'a b.png', uri: 'file:///ws/a%20b.png' }),
    chunk({ type: 'resource_link', name: 'notes', uri: 'file:///ws/notes.md' }),
  ]);
});
