/** What the tools need from the world. Small interfaces, named by what they give; `services/` fulfils them. */
import type { TextChange } from '../text/change-list';
import type { Excerpt } from '../text/excerpt';
import type { TextSize } from '../text/find-replace';
import type { LongText } from '../text/long-text';
import type { Text } from '../text/pieced-text';
import type { Splice } from '../text/spliced-bytes';
import type { StagedBytes } from '../text/staged-bytes';
import type { StagingOrder } from '../text/staging';

declare const jailed: unique symbol;

/** A path that the jail has admitted. Only the jail makes one, and only through one can a file be reached. */
export interface JailedPath {
  readonly [jailed]: true;
  /** The path as answers and messages show it. */
  readonly shown: string;
}

/** Admits paths by the rule of one toolset (absolute, relative, with blocked names). Throws a Fault otherwise. */
export interface Paths {
  admit(path: string): JailedPath;
}

/** Where a text came from or went to: the person's editor or the disk. */
export type Via = 'editor' | 'disk';

export interface LineWindow {
  /** First line wanted, 1-based. */
  readonly line: number;
  /** How many lines at most; absent means all that remain. */
  readonly limit?: number | undefined;
}

export interface Lines {
  readonly content: string | LongText;
  readonly totalLines: number;
  readonly returnedLines: number;
  readonly via: Via;
  readonly warning?: string | undefined;
}

export interface TextFile {
  readonly text: string;
  /** Size on disk. */
  readonly bytes: number;
  readonly via: Via;
  readonly warning?: string | undefined;
}

/** A text that is to be edited. */
export interface EditedText {
  /** All of it. */
  whole(): Promise<string>;
  /** The lines around the only place where a string stands, where they can be had without the whole. */
  around(wanted: string): Promise<Excerpt | undefined>;
  /** Edits staged where nobody waits for it; undefined where there is too little to do for that. */
  aside(order: StagingOrder): Promise<StagedAside | undefined>;
}

/** `text`: all of it after the edits, made when somebody asks for it. */
export type StagedAside =
  | (Extract<StagedBytes, { ok: true }> & { readonly text: string })
  | Extract<StagedBytes, { ok: false }>;

/** What an edit makes of a text. */
export interface Change<T> {
  /** May be made only when it is asked for. */
  readonly text: string;
  /** How long it is, where that is known before it is made: what is too long is refused, and never made. */
  readonly size?: TextSize;
  /** What turns the old text into this one, where that is known: ascending and apart. */
  readonly changes?: readonly TextChange[];
  /** The lines that the changes are made in, and their offsets counted in, if not the whole text. */
  readonly within?: Excerpt;
  /** What turns the old bytes into the new ones, where that is known: ascending and apart, none where nothing changes. */
  readonly splices?: readonly Splice[];
  /** What the tool wants to say about it; asked when the text is on its way to the disk, which takes its time. */
  readonly tell: () => T | Promise<T>;
}

export interface DirectoryEntry {
  readonly path: string;
  readonly type: 'file' | 'dir' | 'symlink';
  readonly size?: number;
}

export interface Files {
  readLines(path: JailedPath, window: LineWindow): Promise<Lines>;
  readText(path: JailedPath, options: { maxBytes: number }): Promise<TextFile>;
  writeText(
    path: JailedPath,
    text: Text,
    options: { createParents: boolean; maxBytes?: number },
  ): Promise<{ bytes: number; created: boolean; via: Via }>;
  /** Reads, lets `change` work on the text, and writes the result back, all under the file's lock. */
  editText<T>(
    path: JailedPath,
    change: (text: EditedText) => Change<T> | Promise<Change<T>>,
    options?: { maxBytes?: number },
  ): Promise<{ result: T; via: Via; warning?: string | undefined }>;
  list(
    path: JailedPath,
    options: { recursive: boolean; maxEntries: number },
  ): Promise<{ entries: DirectoryEntry[]; truncated: boolean }>;
  remove(path: JailedPath, options: { recursive: boolean }): Promise<'file' | 'dir'>;
  move(from: JailedPath, to: JailedPath, options: { overwrite: boolean }): Promise<{ overwritten: boolean }>;
  makeDirectory(path: JailedPath, options: { recursive: boolean }): Promise<{ created: boolean }>;
}

/** The append-only files of the memory folder. */
export interface Memory {
  append(file: string, line: string): Promise<{ bytes: number }>;
}

export interface CommandRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: JailedPath;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
}

export interface CommandOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
  /** Said when the command ran without a sandbox although one was wanted, and why. */
  readonly sandbox?: string;
}

export interface Commands {
  run(request: CommandRequest, call: CallContext): Promise<CommandOutcome>;
}

export interface Clock {
  now(): Date;
  /** Milliseconds from an arbitrary start, never going back. */
  monotonicMs(): number;
}

/** What a running call knows of its caller. */
export interface CallContext {
  readonly signal: AbortSignal;
  /** Tells the client that the call is alive; does nothing where the client did not ask for it. */
  progress(update: { elapsedMs: number; message: string }): void;
}

/** All that a tool may use. */
export interface Services {
  readonly paths: Paths;
  readonly files: Files;
  readonly memory: Memory;
  readonly commands: Commands;
  readonly clock: Clock;
  readonly call: CallContext;
}
