import * as z from 'zod';
import { defineTool } from '../../contract/contract';
import { absolutePath, contentText } from '../../contract/parameters';
import { writeErrors } from './errors';

export const writeTextFile = defineTool(
  {
    name: 'write_text_file',
    title: 'Write text file',
    description: 'Write complete content to a text file (creates or overwrites)',
    effect: 'replace',
    input: () => z.object({ path: absolutePath(), content: contentText().describe('Complete file content to write') }),
    output: () => z.object({ success: z.boolean(), bytes_written: z.int(), created: z.boolean() }),
    errors: {
      ...writeErrors,
      parent_not_found: {
        code: -32001,
        message: 'Parent directory not found: {parent}',
        when: 'Directory not found, or the parent is a file',
      },
      is_directory: { code: -32003, message: '{path} is a directory', when: 'Path is directory' },
      not_a_file: { code: -32003, message: '{path} is not a file', when: 'A device, socket or pipe' },
    },
    constraints: [
      'Creates or replaces one file inside the roots; never creates directories.',
      'Atomic: the old or the new content, never a mixture; on disk when it answers.',
      'A symlink to a file inside the roots is written through and stays a symlink.',
    ],
    examples: [
      {
        title: 'Create a file',
        input: { path: '/test/new.txt', content: 'Hello, World!\n' },
        output: { success: true, bytes_written: 14, created: true },
      },
      {
        title: 'Overwrite a file',
        input: { path: '/test/existing.txt', content: 'Updated content\n' },
        output: { success: true, bytes_written: 16, created: false },
      },
    ],
  },
  async ({ path, content }, { files, paths }) => {
    const { bytes, created } = await files.writeText(paths.admit(path), content, { createParents: false });
    return { success: true, bytes_written: bytes, created };
  },
);
