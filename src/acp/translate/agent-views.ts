/** What Codex does with agents of its own. */
import { shorten } from '../../text/truncate';
import type { ItemOf } from '../codex/protocol/items';
import type { CallView } from './call-view';
import { MAX_SHOWN_CHARACTERS, textContent } from './content';

export function agentCallView({ tool, status, prompt }: ItemOf<'collabAgentToolCall'>): CallView {
  // `spawnAgent` reads better as `spawn agent`.
  const words = tool.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').toLowerCase();
  return {
    title: `Agents: ${words || 'call'}`,
    kind: 'think',
    status,
    ...(prompt !== '' && { content: [textContent(shorten(prompt, MAX_SHOWN_CHARACTERS))] }),
  };
}

export function agentView({ kind, agentPath }: ItemOf<'subAgentActivity'>): CallView {
  return { title: `Agent ${agentPath || 'of this session'}: ${kind || 'active'}`, kind: 'think' };
}
