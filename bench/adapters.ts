/** Which tool, with which arguments, each server gets for each workload. Paths are absolute; `within` makes them relative. */
import { relative } from 'node:path';
import type { ToolCall } from '../versus/server';

export interface Change {
  readonly from: string;
  readonly to: string;
}

/** What a server has no tool for is missing. */
export interface Calls {
  read(path: string): ToolCall;
  /** `count` lines from line `first` on, counted from 1. */
  window?(path: string, lines: { first: number; count: number }): ToolCall;
  /** The last `count` lines of a file that has `total`. */
  tail?(path: string, lines: { total: number; count: number }): ToolCall;
  write(path: string, content: string): ToolCall;
  /** Several calls where one call makes one edit. */
  edit(path: string, changes: readonly Change[]): readonly ToolCall[];
  list(path: string): ToolCall;
  /** A directory with all below it. */
  tree(path: string): ToolCall;
  /** `node -e 0` */
  run?(): ToolCall;
}

/** As many as `list_dir` of Tenon gives in one answer. */
export const MAX_ENTRIES = 2_000;
/** The longest a command may take; more than it ever needs. */
const RUN_LIMIT_MS = 10_000;

export function tenonCalls(root: string): Calls {
  const within = (path: string) => relative(root, path);
  const strings = ({ from, to }: Change) => ({ old_string: from, new_string: to });
  return {
    read: (path) => ({ tool: 'read_text_file', args: { path } }),
    window: (path, { first, count }) => ({ tool: 'read_text_file', args: { path, line: first, limit: count } }),
    tail: (path, { total, count }) => ({
      tool: 'read_text_file',
      args: { path, line: total - count + 1, limit: count },
    }),
    write: (path, content) => ({ tool: 'write_text_file', args: { path, content } }),
    edit: (path, changes) => {
      const [only] = changes;
      return only && changes.length === 1
        ? [{ tool: 'edit_text_file', args: { path, ...strings(only) } }]
        : [{ tool: 'multi_edit_text_file', args: { path, edits: changes.map(strings) } }];
    },
    list: (path) => ({ tool: 'list_dir', args: { dir: within(path), maxEntries: MAX_ENTRIES } }),
    tree: (path) => ({ tool: 'list_dir', args: { dir: within(path), recursive: true, maxEntries: MAX_ENTRIES } }),
    run: () => ({ tool: 'run_command', args: { command: 'node', args: ['-e', '0'], timeoutMs: RUN_LIMIT_MS } }),
  };
}

/**
 * It has no window into the middle: `head` up to the last wanted line is the nearest. Its `tail` counts what is behind
 * the last newline as a line. It cuts no listing.
 */
export function officialCalls(): Calls {
  return {
    read: (path) => ({ tool: 'read_text_file', args: { path } }),
    window: (path, { first, count }) => ({ tool: 'read_text_file', args: { path, head: first + count - 1 } }),
    tail: (path, { count }) => ({ tool: 'read_text_file', args: { path, tail: count + 1 } }),
    write: (path, content) => ({ tool: 'write_file', args: { path, content } }),
    edit: (path, changes) => [{ tool: 'edit_file', args: { path, edits: changes.map(texts) } }],
    list: (path) => ({ tool: 'list_directory', args: { path } }),
    tree: (path) => ({ tool: 'directory_tree', args: { path } }),
  };
}

/** It counts lines from 0, reads 1,000 of them unless told otherwise, and makes one edit in a call. */
export function desktopCommanderCalls(): Calls {
  return {
    read: (path) => ({ tool: 'read_file', args: { path, offset: 0, length: 100_000_000 } }),
    window: (path, { first, count }) => ({ tool: 'read_file', args: { path, offset: first - 1, length: count } }),
    tail: (path, { count }) => ({ tool: 'read_file', args: { path, offset: -count, length: count } }),
    write: (path, content) => ({ tool: 'write_file', args: { path, content, mode: 'rewrite' } }),
    edit: (path, changes) =>
      changes.map(({ from, to }) => ({
        tool: 'edit_block',
        args: { file_path: path, old_string: from, new_string: to },
      })),
    list: (path) => ({ tool: 'list_directory', args: { path, depth: 1 } }),
    tree: (path) => ({ tool: 'list_directory', args: { path, depth: 2 } }),
    run: () => ({ tool: 'start_process', args: { command: 'node -e 0', timeout_ms: RUN_LIMIT_MS } }),
  };
}

/** Its lines end at 100,000, its edits at 100 in a call. */
export function filesystemMcpCalls(): Calls {
  return {
    read: (path) => ({ tool: 'read', args: { path } }),
    window: (path, { first, count }) => ({
      tool: 'read',
      args: { path, startLine: first, endLine: first + count - 1 },
    }),
    tail: (path, { count }) => ({ tool: 'read', args: { path, tail: count } }),
    write: (path, content) => ({ tool: 'create', args: { files: [{ path, content, overwrite: true }] } }),
    edit: (path, changes) => [{ tool: 'edit', args: { path, edits: changes.map(texts) } }],
    list: (path) => ({ tool: 'list', args: { path, maxEntries: MAX_ENTRIES } }),
    tree: (path) => ({ tool: 'list', args: { path, maxDepth: 2, maxEntries: MAX_ENTRIES } }),
  };
}

function texts({ from, to }: Change): { oldText: string; newText: string } {
  return { oldText: from, newText: to };
}
