import * as z from 'zod';
import { defineTool } from '../../contract/contract';
import { readErrors } from './errors';
import { MAX_FILE_BYTES } from './limits';

const DEFAULT_READ_BYTES = 262_144;

export const readFile = defineTool(
  {
    name: 'read_file',
    title: 'Read file',
    description: 'Read a UTF-8 text file of the workspace',
    effect: 'read',
    bulk: true,
    input: () =>
      z.strictObject({
        file: z.string(),
        maxBytes: z.int().min(1).max(MAX_FILE_BYTES).default(DEFAULT_READ_BYTES),
      }),
    output: () => z.object({ file: z.string(), content: z.string(), bytes: z.int() }),
    errors: readErrors,
    constraints: [
      'Reads one text file inside the workspace; changes nothing.',
      'A file larger than maxBytes is refused, with its size in details.',
    ],
    examples: [
      {
        title: 'Read a file',
        input: { file: 'notes.txt' },
        output: { file: 'notes.txt', content: 'Buy milk\n', bytes: 9 },
      },
    ],
  },
  async ({ file, maxBytes }, { files, paths }) => {
    const path = paths.admit(file);
    const { text, bytes } = await files.readText(path, { maxBytes });
    return { file: path.shown, content: text, bytes };
  },
);
