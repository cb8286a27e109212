import * as z from 'zod';
import { defineTool } from '../../contract/contract';
import { contentText, encodableText } from '../../contract/parameters';
import { readErrors, writeErrors } from './errors';
import { MAX_FILE_BYTES } from './limits';
import { stageReplacement } from './stage-replacement';

const MAX_OCCURRENCES = 1_000_000;

export const editFile = defineTool(
  {
    name: 'edit_file',
    title: 'Edit file',
    description: 'Replace an exact string in a text file of the workspace, once or everywhere',
    effect: 'change',
    input: () =>
      z.strictObject({
        file: z.string(),
        find: contentText(encodableText().min(1)),
        replace: contentText(),
        replaceAll: z.boolean().default(false),
        expectedOccurrences: z.int().min(1).max(MAX_OCCURRENCES).optional(),
      }),
    output: () => z.object({ file: z.string(), replacements: z.int() }),
    errors: {
      ...readErrors,
      ...writeErrors,
      string_not_found: {
        code: 'PATTERN_NOT_FOUND',
        message: 'Not found in {path}: {old_string}',
        when: 'find does not occur; details carry the reason, the nearest place and the exact text there',
      },
      count_mismatch: {
        code: 'EDIT_CONFLICT',
        message: '{path} has {count} occurrences, expected {expected}; set replaceAll, or send a longer find',
        when: 'find occurs several times, or not as often as expectedOccurrences says',
      },
      changed_meanwhile: {
        code: 'EDIT_CONFLICT',
        message: '{path} kept changing while the edit was applied; read it again and retry',
        when: 'Another program changed the file at every attempt',
      },
    },
    constraints: [
      'Changes one file inside the workspace, and in it only the bytes of the matches.',
      'find and replace are literal; no pattern is ever executed.',
      'Several occurrences need replaceAll, or expectedOccurrences with that number (then the first is replaced).',
      'The result may not pass 1 MiB.',
    ],
    examples: [
      {
        title: 'Replace one string',
        input: { file: 'a.txt', find: 'old', replace: 'new' },
        output: { file: 'a.txt', replacements: 1 },
      },
    ],
  },
  async ({ file, find, replace, replaceAll, expectedOccurrences }, { files, paths }) => {
    const path = paths.admit(file);
    const order = { find, replace, all: replaceAll, expected: expectedOccurrences };
    const { result: replacements } = await files.editText(path, (text) => stageReplacement(path, text, order), {
      maxBytes: MAX_FILE_BYTES,
    });
    return { file: path.shown, replacements };
  },
);
