/**
 * How much Codex may do by itself. Each mode is data: what Codex is told for its own shell and patches, and which
 * effects of our tools a person is asked about.
 */
import type { SessionModeState } from '@agentclientprotocol/sdk';
import type { Effect } from '../contract/contract';

export const MODES = ['read-only', 'agent', 'full-access', 'editor-only'] as const;
export type ModeId = (typeof MODES)[number];

export interface Mode {
  readonly name: string;
  readonly description: string;
  readonly sandbox: 'read-only' | 'workspace-write' | 'danger-full-access';
  readonly approvalPolicy: 'on-request' | 'never';
  /** Codex has no place to run anything: neither its shell nor its patches work. */
  readonly isWithoutEnvironment: boolean;
  /** The effects of our tools that a person is asked about, each time or once for the session. */
  readonly asks: readonly Effect[];
}

const CHANGES: readonly Effect[] = ['create', 'append', 'change', 'replace', 'remove', 'run'];

export const modes: Readonly<Record<ModeId, Mode>> = {
  'read-only': {
    name: 'Read only',
    description: 'Reads freely; asks before every change and every command.',
    sandbox: 'read-only',
    approvalPolicy: 'on-request',
    isWithoutEnvironment: false,
    asks: CHANGES,
  },
  agent: {
    name: 'Agent',
    description: 'Reads, edits and runs commands in the project; asks for what lies outside.',
    sandbox: 'workspace-write',
    approvalPolicy: 'on-request',
    isWithoutEnvironment: false,
    asks: [],
  },
  'full-access': {
    name: 'Full access',
    description: 'Codex’s own shell has no sandbox, and asks nothing.',
    sandbox: 'danger-full-access',
    approvalPolicy: 'never',
    isWithoutEnvironment: false,
    asks: [],
  },
  'editor-only': {
    name: 'Editor only',
    description: 'Nothing bypasses the editor: no shell, no patches; texts go through its buffers, all else asks.',
    sandbox: 'read-only',
    approvalPolicy: 'never',
    isWithoutEnvironment: true,
    // What no editor can do for us happens on disk, and so a person is asked.
    asks: ['create', 'append', 'remove', 'run'],
  },
};

export function isMode(value: string): value is ModeId {
  return (MODES as readonly string[]).includes(value);
}

export function modeState(current: ModeId): SessionModeState {
  const availableModes = MODES.map((id) => ({ id, name: modes[id].name, description: modes[id].description }));
  return { currentModeId: current, availableModes };
}
