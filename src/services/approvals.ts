import type { Approver } from '../contract/call';

export type ApprovalPolicy = 'ask' | 'always' | 'never';

/** The ladder: the person's standing word first, then the channel of the call. */
export function createApprover(policy: ApprovalPolicy): Approver {
  return {
    async decide(question, channel) {
      if (policy === 'always') return { kind: 'granted' };
      if (policy === 'never')
        return {
          kind: 'refused',
          problem: 'this server was started with --approve never; --approve ask lets a user decide',
        };
      return channel.ask(question);
    },
  };
}
