import * as z from 'zod';
import { defineTool } from '../../contract/contract';

const MAX_FILE_BYTES = 1_048_576;

export const readRepoFile = defineTool(
  {
    name: 'read_repo_file',
    title: 'Read repository file',
    description: 'Read a file from the repository within safe boundaries.',
    effect: 'read',
    bulk: true,
    input: () =>
      z.object({
        path: z
          .string()
          .regex(/^[a-zA-Z0-9_./-]+$/)
          .describe('Relative path from repo root'),
      }),
    output: () =>
      z.object({
        content: z.string().describe('File contents'),
        path: z.string().describe('Normalized path'),
        size: z.int().describe('File size in bytes').optional(),
      }),
    errors: {
      invalid_path: {
        code: 'INVALID_PATH',
        message: 'Invalid path {path}: {problem}',
        when: 'The path is absolute or has a `..` segment',
      },
      outside_roots: {
        code: 'INVALID_PATH',
        message: 'Invalid path {path}: {problem}',
        when: 'A symlink leads out of the repository',
      },
      blocked_path: {
        code: 'BLOCKED',
        message: 'Blocked path {path}: files that match {pattern} are never read',
        when: 'A segment of the path, as given or as resolved, matches a blocked pattern',
      },
      file_not_found: { code: 'NOT_FOUND', message: 'File not found: {path}', when: 'There is no such file' },
      not_a_file: { code: 'NOT_FILE', message: '{path} is not a file but {found}', when: 'The path is not a file' },
      not_text: { code: 'NOT_TEXT', message: '{path} is not text: {problem}', when: 'The file is binary' },
      too_large: {
        code: 'TOO_LARGE',
        message: '{path} has {bytes} bytes; at most {limit} can be read',
        when: 'The file is larger than 1 MB',
      },
    },
    constraints: [
      'Allowed paths: only within the repository root.',
      'Blocked patterns, for every segment and whatever the case, of the path as given and as resolved: `..`, `.env*`, `*secret*`, `*credential*`, `.git/`.',
      'Size limit: 1 MB (1,048,576 bytes).',
      'Read-only: cannot modify files.',
    ],
    examples: [
      {
        title: 'Read the progress log',
        input: { path: '.claude/memory/progress_log.jsonl' },
        output: {
          content: '{"timestamp": "2026-01-01T09:00:00Z"}\n',
          path: '.claude/memory/progress_log.jsonl',
          size: 38,
        },
      },
    ],
  },
  async ({ path }, { files, paths }) => {
    const target = paths.admit(path);
    const { text, bytes } = await files.readText(target, { maxBytes: MAX_FILE_BYTES });
    return { content: text, path: target.shown, size: bytes };
  },
);
