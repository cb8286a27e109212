import * as z from 'zod';
import { defineTool } from '../../contract/contract';
import { absolutePath, contentText, failsAs } from '../../contract/parameters';
import { RULES } from '../../contract/rules';
import { editErrors, readErrors, writeErrors } from './errors';
import { stageEdits } from './stage-edits';

declare module '../../contract/fault' {
  interface FaultFacts {
    empty_old_string: { old_string: string };
    identical_strings: { parameter: string };
  }
}

export const editTextFile = defineTool(
  {
    name: 'edit_text_file',
    title: 'Edit text file',
    description: 'Replace one exact, unique string in a text file and return the diff',
    effect: 'change',
    input: () =>
      z
        .object({
          path: absolutePath(),
          old_string: contentText()
            .refine(RULES.notEmpty, failsAs('empty_old_string'))
            .describe('Exact string to find and replace'),
          new_string: contentText().describe('Replacement string'),
        })
        .refine(RULES.changing, failsAs('identical_strings')),
    output: () =>
      z.object({ success: z.boolean(), diff: z.string(), line_range: z.object({ start: z.int(), end: z.int() }) }),
    errors: {
      ...readErrors,
      ...writeErrors,
      ...editErrors,
      string_not_found: { code: -32010, message: 'String not found in file: {old_string}', when: 'String not found' },
      string_not_unique: {
        code: -32011,
        message: 'String appears {count} times (must be unique): {old_string}',
        when: 'Multiple matches',
      },
      empty_old_string: { code: -32600, message: 'old_string cannot be empty', when: 'Empty old_string' },
      identical_strings: {
        code: -32600,
        message: 'old_string and new_string are identical',
        when: 'Same old and new string',
      },
    },
    constraints: [
      'Changes one file inside the roots, and in it only the bytes of the match.',
      'Matching is exact; the one tolerance is \\n in old_string for \\r\\n in the file. Similar text is never edited.',
      'A failed match carries the reason, the nearest place and the exact text there in error.data.',
    ],
    examples: [
      {
        title: 'Change one value',
        input: { path: '/test/config.toml', old_string: 'port = 8080', new_string: 'port = 3000' },
        output: {
          success: true,
          diff: '--- config.toml\n+++ config.toml\n@@ -1,2 +1,2 @@\n [server]\n-port = 8080\n+port = 3000\n',
          line_range: { start: 2, end: 2 },
        },
      },
    ],
  },
  async ({ path, old_string, new_string }, { files, paths }) => {
    const target = paths.admit(path);
    const edit = { old_string, new_string };
    const { result } = await files.editText(target, (text) => stageEdits(target, text, [edit]));
    const [line_range = { start: 1, end: 1 }] = result.ranges;
    return { success: true, diff: result.diff, line_range };
  },
);
