/** What a person chose, as the answers that Codex waits for. Whatever is not clearly a yes is a no. */
import type { PermissionOption, RequestPermissionOutcome } from '@agentclientprotocol/sdk';
import { fieldsOf } from '../codex/protocol/json-fields';
import type { ApprovalAnswer, ElicitationAnswer, PermissionsAnswer } from '../codex/protocol/received';

export const APPROVAL_OPTIONS: readonly PermissionOption[] = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'allow-for-session', name: 'Allow for this session', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

/**
 * Codex 0.166 lists `accept`, a lasting rule and `cancel` as the decisions that may be shown for a command, but takes the
 * others too. A rule outlives the session, and is never what a person meant by "for this session".
 */
export function decisionFor(outcome: RequestPermissionOutcome): ApprovalAnswer['decision'] {
  const choice = choiceOf(outcome);
  if (choice === 'allow') return 'accept';
  if (choice === 'allow-for-session') return 'acceptForSession';
  return choice === 'reject' ? 'decline' : 'cancel';
}

/** Grants what was asked for, or nothing. */
export function permissionsFor(outcome: RequestPermissionOutcome, params: unknown): PermissionsAnswer {
  const choice = choiceOf(outcome);
  const isGranted = choice === 'allow' || choice === 'allow-for-session';
  const { network, fileSystem } = fieldsOf(isGranted ? fieldsOf(params).permissions : undefined);
  return {
    permissions: { ...(network ? { network } : {}), ...(fileSystem ? { fileSystem } : {}) },
    scope: choice === 'allow-for-session' ? 'session' : 'turn',
  };
}

export function elicitationFor(outcome: RequestPermissionOutcome): ElicitationAnswer {
  const choice = choiceOf(outcome);
  if (choice === 'reject') return { action: 'decline', content: null, _meta: null };
  if (choice === 'cancel') return { action: 'cancel', content: null, _meta: null };
  return { action: 'accept', content: {}, _meta: choice === 'allow' ? null : { persist: 'session' } };
}

export function choiceOf(outcome: RequestPermissionOutcome): 'allow' | 'allow-for-session' | 'reject' | 'cancel' {
  if (outcome.outcome !== 'selected') return 'cancel';
  const { optionId } = outcome;
  return optionId === 'allow' || optionId === 'allow-for-session' ? optionId : 'reject';
}
