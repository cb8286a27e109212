/** A file server on trial: how to start it, and which of its tools does what. */
import type { McpClient } from './mcp-client';

export interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What a call came to, in one form for all servers. `text` is everything that was answered. */
export interface Answer {
  readonly ok: boolean;
  readonly text: string;
}

/** Paths are relative to the served folder, or absolute. What a server has no tool for is missing. */
export interface Tools {
  read?(path: string): ToolCall;
  write?(path: string, text: string): ToolCall;
  edit?(path: string, change: { from: string; to: string }): ToolCall;
  remove?(path: string): ToolCall;
  removeTree?(path: string): ToolCall;
  move?(from: string, to: string): ToolCall;
  makeDirectory?(path: string): ToolCall;
  list?(path: string): ToolCall;
  /** Reads by the tool that has rules about names, where that is another than `read`. */
  readGuarded?(path: string): ToolCall;
  /** Adds one line to `appendPath`. */
  append?(line: string): ToolCall;
}

export type Operation = keyof Tools;

export interface Server {
  readonly name: string;
  readonly version: string;
  /** Set for the one server whose promises are held against the others. */
  readonly isOurs: boolean;
  /** Its start takes seconds: a quick run leaves it out of the trials that start many. */
  readonly isSlow?: boolean;
  /** The file to which `append` adds. */
  readonly appendPath: string;
  /** Fetches what is needed. */
  prepare(): Promise<void>;
  command(root: string, options?: LaunchOptions): Launch;
  tools(root: string): Tools;
  /** Other tools of the server for the same. */
  otherTools?(root: string): Tools;
  judge(result: ToolResult): Answer;
  /** Runs a program through the server's own tool, and tells when the call is over. */
  run?(session: Session, request: RunRequest): Promise<RunOutcome>;
  /** Its door over HTTP, where it has one. */
  http?: HttpAdapter;
}

/** What the person who starts the server has set. Not every server has every setting. */
export interface LaunchOptions {
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Programs that may be run, beyond the usual ones. */
  readonly allowed?: readonly string[];
  /** Programs that may not be run. */
  readonly blocked?: readonly string[];
  readonly network?: 'on' | 'off';
  /** A descriptor that is left open for the server by mistake. */
  readonly leaked?: number;
}

export interface HttpAdapter {
  /** On a free port of loopback. Without `secured`: as the documentation starts it, with no token named. */
  start(root: string, options?: { secured?: boolean }): Promise<HttpDoor>;
  /** What starts it on every address of the machine without a token; it should refuse. */
  exposed(root: string): Launch;
}

export interface HttpDoor {
  readonly url: string;
  readonly token: string;
  stop(): Promise<void>;
}

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly leaked?: number;
}

export interface ToolResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface RunRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  /** An absolute path, for servers that would run it elsewhere than in the served folder. */
  readonly cwd?: string;
}

export interface RunOutcome {
  /** From the request to the end: an answer, or the end of what the server offers to end it. */
  readonly elapsedMs: number;
  readonly answeredBytes: number;
  /** What the program printed, or what was answered instead. */
  readonly text: string;
}

export interface Session {
  readonly client: McpClient;
  readonly pid: number;
  readonly can: (operation: Operation) => boolean;
  /** Calls a tool of the server; an error answered by the server is an answer that is not ok. */
  call(call: ToolCall, options?: { limitMs?: number }): Promise<Answer>;
  read(path: string): Promise<Answer>;
  write(path: string, text: string): Promise<Answer>;
  edit(path: string, change: { from: string; to: string }): Promise<Answer>;
  move(from: string, to: string): Promise<Answer>;
  append(line: string): Promise<Answer>;
  tools: Tools;
  close(): Promise<void>;
  kill(): Promise<void>;
}
