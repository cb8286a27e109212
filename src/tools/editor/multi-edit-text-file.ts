import * as z from 'zod';
import { defineTool } from '../../contract/contract';
import { absolutePath, contentText, failsAs } from '../../contract/parameters';
import { RULES } from '../../contract/rules';
import { editErrors, readErrors, writeErrors } from './errors';
import { stageEdits } from './stage-edits';

declare module '../../contract/fault' {
  interface FaultFacts {
    no_edits: { parameter: string };
    empty_edit: { index: number };
    identical_edit: { index: number };
  }
}

export const multiEditTextFile = defineTool(
  {
    name: 'multi_edit_text_file',
    title: 'Edit text file in several places',
    description: 'Apply multiple string replacement edits to a file with cumulative diff',
    effect: 'change',
    input: () =>
      z.object({
        path: absolutePath(),
        edits: z
          .array(
            z
              .object({
                old_string: contentText()
                  .refine(RULES.notEmpty, failsAs('empty_edit'))
                  .describe('Exact string to find and replace'),
                new_string: contentText().describe('Replacement string'),
              })
              .refine(RULES.changing, failsAs('identical_edit')),
          )
          .refine(RULES.notEmpty, failsAs('no_edits'))
          .describe('Array of edit operations to apply sequentially'),
      }),
    output: () =>
      z.object({
        success: z.boolean(),
        diff: z.string(),
        applied_count: z.int(),
        line_ranges: z.array(z.object({ edit_index: z.int(), start: z.int(), end: z.int() })),
      }),
    errors: {
      ...readErrors,
      ...writeErrors,
      ...editErrors,
      string_not_found: {
        code: -32010,
        message: 'Edit {index}: String not found: {old_string}',
        when: 'String not found',
      },
      string_not_unique: {
        code: -32011,
        message: 'Edit {index}: String appears {count} times: {old_string}',
        when: 'Multiple matches',
      },
      edit_conflict: {
        code: -32012,
        message: 'Edit {index} conflicts with edit {prior_index}',
        when: 'An earlier edit changed part of the string that this one wants',
      },
      no_edits: { code: -32600, message: 'Edits array cannot be empty', when: 'Empty edits array' },
      empty_edit: { code: -32600, message: 'Edit {index}: old_string cannot be empty', when: 'Empty old_string' },
      identical_edit: {
        code: -32600,
        message: 'Edit {index}: old_string and new_string are identical',
        when: 'Same old and new string',
      },
    },
    constraints: [
      'Changes one file inside the roots: all edits or none.',
      'Edits apply one after the other, each to the text that the earlier ones left; each old_string must occur once there.',
      'line_ranges are the lines of each match in the text just before that edit.',
      'No net change: diff is empty, the file is not touched, and the call succeeds.',
    ],
    examples: [
      {
        title: 'Three related edits',
        input: {
          path: '/test/config.toml',
          edits: [
            { old_string: 'port = 8080', new_string: 'port = 3000' },
            { old_string: 'host = "localhost"', new_string: 'host = "0.0.0.0"' },
            { old_string: 'debug = false', new_string: 'debug = true' },
          ],
        },
        output: {
          success: true,
          diff: '--- config.toml\n+++ config.toml\n@@ -1,6 +1,6 @@\n [server]\n-host = "localhost"\n+host = "0.0.0.0"\n-port = 8080\n+port = 3000\n \n [app]\n-debug = false\n+debug = true\n',
          applied_count: 3,
          line_ranges: [
            { edit_index: 0, start: 3, end: 3 },
            { edit_index: 1, start: 2, end: 2 },
            { edit_index: 2, start: 6, end: 6 },
          ],
        },
      },
    ],
  },
  async ({ path, edits }, { files, paths }) => {
    const target = paths.admit(path);
    const { result } = await files.editText(target, (text) => stageEdits(target, text, edits));
    return {
      success: true,
      diff: result.diff,
      applied_count: edits.length,
      line_ranges: result.ranges.map((range, edit_index) => ({ edit_index, ...range })),
    };
  },
);
