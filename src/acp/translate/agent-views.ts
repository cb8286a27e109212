/** What Codex does with agents of its own. */
import { shorten } from '../../text/truncate';
import type { ItemOf } from '../codex/protocol/items';
import type { CallView } from './call-view';
import { MAX_SHOWN_CHARACTERS, textContent, titleFrom } from './content';

export function agentCallView({ tool, status, prompt }: ItemOf<'collabAgentToolCall'>): CallView {
  // `spawnAgent` reads better as `spawn agent`.
  const words = tool.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').toLowerCase();
  return {
    title: titleFrom(`Agents: ${words}`),
    kind: 'think',
    status,
    ...(prompt !== '' && { content: [textContent(shorten(prompt, MAX_SHOWN_CHARACTERS))] }),
  };
}

export function agentView({ kind, agentPath }: ItemOf<'subAgentActivity'>): CallView {
  return { title: titleFrom(`Agent ${agentPath}: ${kind}`), kind: 'think' };
}
