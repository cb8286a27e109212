import * as z from 'zod';
import { defineTool } from '../../contract/contract';
import { failsAs, textUpTo } from '../../contract/parameters';
import { utf8Length } from '../../text/encoding';
import { foldJson } from '../../text/json-lines';

declare module '../../contract/fault' {
  interface FaultFacts {
    entry_too_large: { entry: string };
    entry_not_json: { file: string };
  }
}

const MAX_ENTRY_CHARACTERS = 10_000;
const MAX_ENTRY_BYTES = 10_240;

export const writeMemoryEntry = defineTool(
  {
    name: 'write_memory_entry',
    title: 'Append memory entry',
    description: 'Append an entry to a memory file. Append-only operation.',
    effect: 'append',
    input: () =>
      z
        .object({
          file: z.enum(['progress_log.jsonl', 'decisions.jsonl', 'best_practices.md']).describe('Target memory file'),
          entry: textUpTo(MAX_ENTRY_CHARACTERS)
            .refine((entry) => utf8Length(entry) <= MAX_ENTRY_BYTES, failsAs('entry_too_large'))
            .describe('Content to append'),
        })
        .refine(({ file, entry }) => !isJsonLines(file) || foldJson(entry).ok, failsAs('entry_not_json')),
    output: () => z.object({ success: z.boolean(), file: z.string(), bytes_written: z.int().optional() }),
    approval: (input) => ({
      subject: input.file,
      message: `Append this entry to the memory file ${input.file}?\n\n${lineOf(input)}`,
    }),
    errors: {
      entry_too_large: {
        code: 'TOO_LARGE',
        message: 'The entry is larger than 10,240 bytes; shorten or split it',
        when: 'The entry is larger than 10 KB',
      },
      entry_not_json: {
        code: 'INVALID_ENTRY',
        message: 'A .jsonl entry must be one valid JSON value',
        when: 'The file is .jsonl and the entry is not JSON',
      },
      not_approved: {
        code: 'NOT_APPROVED',
        message: 'Nothing was written to {file}: {problem}',
        when: 'The person did not approve',
      },
      approval_unavailable: {
        code: 'NOT_APPROVED',
        message: 'Nothing was written to {file}: {remedy}',
        when: 'No person could be asked',
      },
      outside_roots: {
        code: 'INVALID_PATH',
        message: 'Invalid memory folder {path}: {problem}',
        when: 'The memory folder leads out of its root',
      },
      parent_not_found: {
        code: 'INVALID_PATH',
        message: 'Cannot create {parent}: a file is in its way',
        when: 'The memory folder cannot be created',
      },
      not_a_file: { code: 'NOT_FILE', message: '{path} is not a file but {found}', when: 'The memory file is no file' },
      disk_full: { code: 'DISK_FULL', message: 'Disk full: cannot append {bytes} bytes to {path}', when: 'Disk full' },
      read_only_filesystem: {
        code: 'PERMISSION_DENIED',
        message: 'Read-only filesystem: {path}',
        when: 'Read-only filesystem',
      },
    },
    constraints: [
      'Append-only: cannot overwrite or delete.',
      'Allowed files: only the three memory files listed, in .claude/memory/ under the root or in --memory-dir.',
      'Format: a .jsonl entry must be one JSON value and becomes one line; a .md entry is appended as it is, with a newline.',
      'Size limit: 10,000 characters and 10 KB (10,240 bytes) per entry.',
      'Requires approval: a person must approve the exact entry before anything is written.',
    ],
    examples: [
      {
        title: 'Log a milestone',
        input: {
          file: 'progress_log.jsonl',
          entry: '{"timestamp": "2026-01-15T10:00:00Z", "event": "milestone", "description": "Completed EDA"}',
        },
        output: { success: true, file: 'progress_log.jsonl', bytes_written: 92 },
      },
    ],
  },
  async (input, { memory }) => {
    const { bytes } = await memory.append(input.file, lineOf(input));
    return { success: true, file: input.file, bytes_written: bytes };
  },
);

/** What will stand in the file: this is what is shown to the person, and what is written. */
function lineOf({ file, entry }: { file: string; entry: string }): string {
  if (!isJsonLines(file)) return entry;
  const folded = foldJson(entry);
  return folded.ok ? folded.line : entry;
}

function isJsonLines(file: string): boolean {
  return file.endsWith('.jsonl');
}
