import * as z from 'zod';
import { defineTool } from '../../contract/contract';
import { contentText } from '../../contract/parameters';
import { writeErrors } from './errors';
import { MAX_FILE_BYTES } from './limits';

export const writeFile = defineTool(
  {
    name: 'write_file',
    title: 'Write file',
    description: 'Create or overwrite a text file of the workspace; missing parent directories are created',
    effect: 'replace',
    input: () => z.strictObject({ file: z.string(), content: contentText() }),
    output: () => z.object({ file: z.string(), bytesWritten: z.int() }),
    errors: {
      ...writeErrors,
      too_large: {
        code: 'FILE_TOO_LARGE',
        message: 'The content has {bytes} bytes; at most {limit} can be written to {path}',
        when: 'The content is larger than 1 MiB',
      },
      is_directory: { code: 'NOT_FILE', message: '{path} is a directory', when: 'A directory is at the path' },
      not_a_file: { code: 'NOT_FILE', message: '{path} is not a file but {found}', when: 'A device, socket or pipe' },
      parent_not_found: {
        code: 'NOT_DIRECTORY',
        message: 'Cannot create {parent}: a file is in its way',
        when: 'A parent of the path is a file',
      },
    },
    constraints: [
      'Creates or replaces one file inside the workspace, and the directories above it.',
      'Atomic: the old or the new content, never a mixture; on disk when it answers.',
      'Bounded to 1 MiB.',
    ],
    examples: [
      {
        title: 'Write a file in a new directory',
        input: { file: 'src/index.html', content: '<h1>Hi</h1>' },
        output: { file: 'src/index.html', bytesWritten: 11 },
      },
    ],
  },
  async ({ file, content }, { files, paths }) => {
    const path = paths.admit(file);
    const { bytes } = await files.writeText(path, content, { createParents: true, maxBytes: MAX_FILE_BYTES });
    return { file: path.shown, bytesWritten: bytes };
  },
);
