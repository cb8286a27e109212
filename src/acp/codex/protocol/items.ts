/**
 * The items of which a turn of Codex is made, as far as an editor is shown them (app-server protocol of Codex 0.166).
 * `readItem` makes them from what came over the wire: every field is there, and is what its type says.
 */
export type ItemStatus = 'inProgress' | 'completed' | 'failed';

export interface FileChange {
  readonly path: string;
  readonly kind: 'add' | 'delete' | 'update';
  /** Where an updated file goes to; empty when it stays. */
  readonly movePath: string;
  /** The whole text of a file that is added or deleted; else hunks of a unified diff, and after them maybe a remark. */
  readonly diff: string;
}

export interface CommandAction {
  readonly type: 'unknown' | 'read' | 'listFiles' | 'search';
  /** Empty when it names none. */
  readonly path: string;
}

export type UserInput =
  | { readonly type: 'text'; readonly text: string; readonly text_elements: readonly [] }
  | { readonly type: 'image'; readonly url: string }
  | { readonly type: 'localImage'; readonly path: string }
  | { readonly type: 'skill' | 'mention'; readonly name: string; readonly path: string };

/** What each type of item carries besides its id. */
export interface ItemBodies {
  userMessage: { readonly content: readonly UserInput[] };
  agentMessage: { readonly text: string };
  reasoning: { readonly summary: readonly string[]; readonly content: readonly string[] };
  plan: { readonly text: string };
  commandExecution: {
    readonly command: string;
    readonly cwd: string;
    readonly status: ItemStatus;
    readonly actions: readonly CommandAction[];
    readonly output: string;
    readonly exitCode: number | undefined;
    readonly durationMs: number | undefined;
  };
  fileChange: { readonly changes: readonly FileChange[]; readonly status: ItemStatus };
  mcpToolCall: {
    readonly server: string;
    readonly tool: string;
    readonly status: ItemStatus;
    readonly arguments: unknown;
    readonly readOnly: boolean;
    readonly content: readonly unknown[];
    /** Undefined when there is no result, or one without structured content. */
    readonly structuredContent: unknown;
    /** Empty when there was none. */
    readonly error: string;
  };
  dynamicToolCall: {
    readonly tool: string;
    readonly status: ItemStatus;
    readonly arguments: unknown;
    /** The texts of its answer. */
    readonly texts: readonly string[];
  };
  webSearch: {
    readonly action: 'other' | 'search' | 'openPage' | 'findInPage';
    readonly queries: readonly string[];
    readonly url: string;
    readonly pattern: string;
  };
  imageView: { readonly path: string };
  imageGeneration: {
    readonly status: ItemStatus;
    readonly prompt: string;
    readonly savedPath: string;
    /** Base64; empty when the picture is elsewhere. */
    readonly result: string;
  };
  collabAgentToolCall: { readonly tool: string; readonly status: ItemStatus; readonly prompt: string };
  subAgentActivity: { readonly kind: string; readonly agentPath: string };
  sleep: { readonly durationMs: number };
  hookPrompt: { readonly texts: readonly string[] };
  enteredReviewMode: { readonly review: string };
  exitedReviewMode: { readonly review: string };
  contextCompaction: Readonly<Record<never, never>>;
}

export type ItemOf<T extends keyof ItemBodies> = { readonly type: T; readonly id: string } & ItemBodies[T];

export type ThreadItem =
  | { [T in keyof ItemBodies]: ItemOf<T> }[keyof ItemBodies]
  /** A type that is not known here. */
  | { readonly type: 'unknown'; readonly id: string };
