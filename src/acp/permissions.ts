/** Asks the person, in the editor, and remembers what they allowed for the session. */
import type { ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { Client } from './client';
import { APPROVAL_OPTIONS, choiceOf } from './translate/approval-answer';

export type Verdict = ReturnType<typeof choiceOf>;

export interface Question {
  readonly toolCall: ToolCallUpdate;
  /** What a yes for the session covers; without it, only this once can be allowed. */
  readonly scope?: string | undefined;
  readonly signal: AbortSignal;
}

export interface Permissions {
  ask(question: Question): Promise<Verdict>;
}

export function createPermissions(client: Client, sessionId: string): Permissions {
  const allowed = new Set<string>();
  return {
    async ask({ toolCall, scope, signal }) {
      if (signal.aborted) return 'cancel';
      if (scope !== undefined && allowed.has(scope)) return 'allow';
      const options = APPROVAL_OPTIONS.filter(({ kind }) => scope !== undefined || kind !== 'allow_always');
      const { outcome } = await client.requestPermission({ sessionId, toolCall, options }, signal);
      const verdict = choiceOf(outcome);
      if (verdict !== 'allow-for-session') return verdict;
      // Where it was not offered, it is no answer.
      if (scope === undefined) return 'reject';
      allowed.add(scope);
      return verdict;
    },
  };
}
