/** What the app-server answers, and what it asks, with only the fields that are used here. */

export interface Thread {
  readonly id: string;
  readonly cwd: string;
  /** Usually the first message of the person. */
  readonly preview: string;
  readonly name: string | null;
  /** In seconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** To be read with `readTurn`. */
  readonly turns: readonly unknown[];
}

export interface ThreadPage {
  readonly data: readonly Thread[];
  readonly nextCursor: string | null;
}

export interface Model {
  readonly id: string;
  readonly model: string;
  readonly displayName: string;
  readonly description: string;
  readonly hidden: boolean;
  readonly isDefault: boolean;
  readonly defaultReasoningEffort: string;
  readonly supportedReasoningEfforts: readonly { readonly reasoningEffort: string; readonly description: string }[];
}

export interface ModelPage {
  readonly data: readonly Model[];
  readonly nextCursor: string | null;
}

/** Params of `item/tool/call`. */
export interface DynamicToolCall {
  readonly threadId: string;
  readonly turnId: string;
  readonly callId: string;
  readonly tool: string;
  readonly arguments: unknown;
}

export interface DynamicToolAnswer {
  readonly success: boolean;
  readonly contentItems: readonly { readonly type: 'inputText'; readonly text: string }[];
}

/** Answer to `item/commandExecution/requestApproval` and `item/fileChange/requestApproval`. */
export interface ApprovalAnswer {
  readonly decision: 'accept' | 'acceptForSession' | 'decline' | 'cancel';
}

/** Answer to `item/permissions/requestApproval`: what is granted, which may be nothing. */
export interface PermissionsAnswer {
  readonly permissions: { readonly network?: object; readonly fileSystem?: object };
  readonly scope: 'turn' | 'session';
}

/** Answer to `mcpServer/elicitation/request`. */
export interface ElicitationAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content: object | null;
  readonly _meta: { readonly persist: 'session' } | null;
}
