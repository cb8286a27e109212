import * as z from 'zod';
import { defineTool } from '../../contract/contract';
import { absolutePath, failsAs } from '../../contract/parameters';
import { readErrors } from './errors';

declare module '../../contract/fault' {
  interface FaultFacts {
    line_below_one: { line: number };
    limit_below_one: { limit: number };
  }
}

export const readTextFile = defineTool(
  {
    name: 'read_text_file',
    title: 'Read text file',
    description: 'Read complete or partial content of a text file with optional pagination',
    effect: 'read',
    bulk: true,
    input: () =>
      z.object({
        path: absolutePath(),
        line: z
          .int()
          .min(1, failsAs('line_below_one'))
          .describe('Starting line number (1-indexed). If omitted, read from line 1')
          .optional(),
        limit: z
          .int()
          .min(1, failsAs('limit_below_one'))
          .describe('Maximum number of lines to return. If omitted, return all remaining lines')
          .optional(),
      }),
    output: () =>
      z.object({
        content: z.string(),
        _meta: z.object({
          total_lines: z.int(),
          returned_lines: z.int(),
          has_more: z.boolean(),
          next_line: z.int().optional(),
        }),
      }),
    errors: {
      ...readErrors,
      line_below_one: { code: -32600, message: 'Line number must be >= 1: {line}', when: 'Invalid line number' },
      limit_below_one: { code: -32600, message: 'Limit must be >= 1: {limit}', when: 'Invalid limit' },
      not_text: { code: -32004, message: 'Cannot read binary file: {path}', when: 'Binary file' },
    },
    constraints: [
      'Reads one text file inside the roots; changes nothing.',
      'Lines end with \\n; the text of the lines is exact, terminators and byte order mark included.',
      'total_lines is the true count, also with a window; a line past the end gives an empty content.',
      'Binary is refused: a NUL byte, or not valid UTF-8 (UTF-16 with a byte order mark is text).',
    ],
    examples: [
      {
        title: 'Read an entire file',
        input: { path: '/test/file.txt' },
        output: {
          content: 'line 1\nline 2\nline 3\n',
          _meta: { total_lines: 3, returned_lines: 3, has_more: false },
        },
      },
      {
        title: 'Read two lines, starting at line 10',
        input: { path: '/test/numbers.txt', line: 10, limit: 2 },
        output: {
          content: '10\n11\n',
          _meta: { total_lines: 100, returned_lines: 2, has_more: true, next_line: 12 },
        },
      },
    ],
  },
  async ({ path, line = 1, limit }, { files, paths }) => {
    const { content, totalLines, returnedLines } = await files.readLines(paths.admit(path), { line, limit });
    const next = line + returnedLines;
    const hasMore = returnedLines > 0 && next <= totalLines;
    return {
      content,
      _meta: {
        total_lines: totalLines,
        returned_lines: returnedLines,
        has_more: hasMore,
        ...(hasMore && { next_line: next }),
      },
    };
  },
);
