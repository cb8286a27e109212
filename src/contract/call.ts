/** A call as the doors hand it over, what becomes of it, and who listens. */
import type { ApprovalQuestion, Effect } from './contract';
import type { CallContext, Via } from './ports';

export interface Call {
  readonly tool: string;
  readonly arguments: unknown;
  /** Name and version of the client, for the log. */
  readonly client: string;
  readonly context: CallContext;
  readonly approvals: ApprovalChannel;
  /** Filled in while the call runs, where a door wants to tell it. */
  readonly notes?: CallNotes;
}

export interface CallNotes {
  via?: Via;
  /** What the agent should know about the text that it got. */
  warning?: string;
  /** What an edit made of the text. */
  diff?: FileDiff;
}

/** What a change would make of a file. */
export interface FileDiff {
  /** Absolute. */
  readonly path: string;
  readonly oldText: string | null;
  readonly newText: string;
}

export type Decision =
  | { readonly kind: 'granted' }
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'unavailable'; readonly remedy: string }
  /** The question is on its way: the client sends the call again, with the answer. */
  | { readonly kind: 'asking' };

/** A way to reach a person for one call. */
export interface ApprovalChannel {
  ask(question: ApprovalQuestion): Promise<Decision>;
  /** Heard last, before anything happens, where the door lets a person look at what the tools do. */
  admit?(effect: Effect): Promise<Decision>;
}

/** The ladder of approval: policy first, then a person. */
export interface Approver {
  decide(question: ApprovalQuestion, channel: ApprovalChannel): Promise<Decision>;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: object;
}

export type Outcome =
  | { readonly kind: 'answer'; readonly ok: true; readonly body: object; readonly bulk: boolean }
  | {
      readonly kind: 'answer';
      readonly ok: false;
      readonly body: object;
      readonly bulk: boolean;
      readonly rpc: RpcError | undefined;
    }
  | { readonly kind: 'asking'; readonly question: ApprovalQuestion }
  | { readonly kind: 'unknown_tool'; readonly message: string };

export interface CallReport {
  readonly client: string;
  readonly tool: string;
  readonly status: 'ok' | 'error' | 'cancelled' | 'bug';
  readonly code?: number | string;
  readonly ms: number;
}

/** Hears of every call; must not throw and must not wait. */
export interface Observer {
  began?(call: Call): void;
  settled?(report: CallReport): void;
  /** Something was thrown that is no fault. `id` stands in the answer too. */
  bug?(id: string, thrown: unknown): void;
}
