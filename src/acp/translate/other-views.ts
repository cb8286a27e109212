/** The calls that need a line or two each. */
import type { ToolCallContent } from '@agentclientprotocol/sdk';
import { shorten } from '../../text/truncate';
import type { ItemOf } from '../codex/protocol/items';
import type { CallView } from './call-view';
import { imageContent, MAX_SHOWN_CHARACTERS, textContent, titleFrom } from './content';
import { absolutePath, shownPath } from './shown-path';

export function webSearchView({ action, queries, url, pattern }: ItemOf<'webSearch'>): CallView {
  const page = pattern === '' ? url : `${url} (${pattern})`;
  const title = action === 'openPage' || action === 'findInPage' ? page : queries.join(', ');
  return {
    title: titleFrom(title) || 'Search the web',
    kind: action === 'openPage' || action === 'findInPage' ? 'fetch' : 'search',
  };
}

export function imageSeenView({ path }: ItemOf<'imageView'>, cwd: string): CallView {
  return {
    title: titleFrom(`View ${shownPath(cwd, path)}`),
    kind: 'read',
    locations: [{ path: absolutePath(cwd, path) }],
  };
}

export function imageMadeView(item: ItemOf<'imageGeneration'>, cwd: string): CallView {
  const content: ToolCallContent[] =
    item.prompt === '' ? [] : [textContent(shorten(item.prompt, MAX_SHOWN_CHARACTERS))];
  if (item.result !== '') content.push(imageContent(item.result, 'image/png'));
  return {
    title: 'Make a picture',
    kind: 'other',
    status: item.status,
    ...(content.length > 0 && { content }),
    ...(item.savedPath !== '' && { locations: [{ path: absolutePath(cwd, item.savedPath) }] }),
  };
}

export function sleepView({ durationMs }: ItemOf<'sleep'>): CallView {
  return { title: `Wait ${Math.round(durationMs / 1000)} s`, kind: 'other' };
}

export function hookView({ texts }: ItemOf<'hookPrompt'>): CallView {
  return {
    title: 'A hook adds to the prompt',
    kind: 'other',
    content: texts.map((text) => textContent(shorten(text, MAX_SHOWN_CHARACTERS))),
  };
}

export function compactionView(): CallView {
  return { title: 'Context compacted', kind: 'think' };
}
