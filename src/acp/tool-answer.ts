import type { Outcome } from '../contract/call';
import type { DynamicToolAnswer } from './codex/protocol/received';

/** What a call of one of our tools came to, as Codex takes it from a dynamic tool. */
export function toolAnswer(outcome: Outcome): DynamicToolAnswer {
  const isOk = outcome.kind === 'answer' && outcome.ok;
  const text =
    outcome.kind === 'answer'
      ? JSON.stringify(outcome.body)
      : outcome.kind === 'unknown_tool'
        ? outcome.message
        : 'The call was not approved';
  return { success: isOk, contentItems: [{ type: 'inputText', text }] };
}
