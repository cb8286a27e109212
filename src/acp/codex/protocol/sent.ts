/** What is sent to the app-server, with only the fields that are used here. */
import type { UserInput } from './items';

export type ApprovalPolicy = 'untrusted' | 'on-request' | 'never';
export type SandboxMode = 'read-only' | 'workspace-write' | 'danger-full-access';

export type SandboxPolicy =
  | { readonly type: 'dangerFullAccess' }
  | { readonly type: 'readOnly'; readonly networkAccess: boolean }
  | {
      readonly type: 'workspaceWrite';
      readonly writableRoots: readonly string[];
      readonly networkAccess: boolean;
      readonly excludeTmpdirEnvVar: boolean;
      readonly excludeSlashTmp: boolean;
    };

export interface Environment {
  readonly environmentId: string;
  readonly cwd: string;
}

/** A tool that Codex asks for with `item/tool/call`. */
export interface DynamicToolSpec {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** The settings that a thread has from its start, and gets anew when it is resumed. */
export interface ThreadSettings {
  readonly cwd?: string;
  readonly runtimeWorkspaceRoots?: readonly string[];
  readonly model?: string;
  readonly approvalPolicy?: ApprovalPolicy;
  /** Anyone but the user may refuse a call without asking. */
  readonly approvalsReviewer?: 'user';
  readonly sandbox?: SandboxMode;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly developerInstructions?: string;
}

export interface ThreadStartParams extends ThreadSettings {
  readonly dynamicTools?: readonly DynamicToolSpec[];
  /** An empty list takes the shell and patches away. */
  readonly environments?: readonly Environment[];
}

export interface ThreadResumeParams extends ThreadSettings {
  readonly threadId: string;
  readonly excludeTurns?: boolean;
}

export interface TurnStartParams {
  readonly threadId: string;
  readonly input: readonly UserInput[];
  /** Not kept with the thread: it must be said again for every turn. */
  readonly environments?: readonly Environment[];
  readonly cwd?: string;
  readonly approvalPolicy?: ApprovalPolicy;
  readonly approvalsReviewer?: 'user';
  readonly sandboxPolicy?: SandboxPolicy;
  readonly model?: string;
  readonly effort?: string;
}

export interface ThreadListParams {
  readonly cursor?: string;
  readonly limit?: number;
  readonly cwd?: string;
}
