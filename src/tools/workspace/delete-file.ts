import * as z from 'zod';
import { defineTool } from '../../contract/contract';
import { writeErrors } from './errors';

export const deleteFile = defineTool(
  {
    name: 'delete_file',
    title: 'Delete file or directory',
    description: 'Delete a file, an empty directory, or with recursive a whole directory of the workspace',
    effect: 'remove',
    input: () => z.strictObject({ path: z.string(), recursive: z.boolean().default(false) }),
    output: () => z.object({ path: z.string(), deletedType: z.enum(['file', 'dir']) }),
    errors: {
      ...writeErrors,
      file_not_found: {
        code: 'NOT_FOUND',
        message: 'Nothing to delete at {path}',
        when: 'There is nothing at the path',
      },
      directory_not_empty: {
        code: 'DIRECTORY_NOT_EMPTY',
        message: '{path} has {entries} entries; set recursive to delete them too',
        when: 'The directory is not empty and recursive is not set',
      },
    },
    constraints: [
      'Deletes inside the workspace only; the workspace itself is refused.',
      'A symlink is deleted itself, never its target.',
    ],
    examples: [
      { title: 'Delete a file', input: { path: 'tmp/a.txt' }, output: { path: 'tmp/a.txt', deletedType: 'file' } },
    ],
  },
  async ({ path, recursive }, { files, paths }) => {
    const target = paths.admit(path);
    return { path: target.shown, deletedType: await files.remove(target, { recursive }) };
  },
);
