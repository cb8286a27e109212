import * as z from 'zod';
import { defineTool } from '../../contract/contract';

export const listDir = defineTool(
  {
    name: 'list_dir',
    title: 'List directory',
    description: 'List the entries of a workspace directory, sorted by path, optionally with all below it',
    effect: 'read',
    input: () =>
      z.strictObject({
        dir: z.string().default('.'),
        recursive: z.boolean().default(false),
        maxEntries: z.int().min(1).max(2000).default(500),
      }),
    output: () =>
      z.object({
        dir: z.string(),
        entries: z.array(
          z.object({ path: z.string(), type: z.enum(['file', 'dir', 'symlink']), size: z.int().optional() }),
        ),
        truncated: z.boolean(),
      }),
    errors: {
      directory_not_found: {
        code: 'NOT_FOUND',
        message: 'Directory not found: {path}',
        when: 'There is no such directory',
      },
      not_a_directory: {
        code: 'NOT_DIRECTORY',
        message: '{path} is not a directory but {found}',
        when: 'The path is not a directory',
      },
    },
    constraints: [
      'Reads directories inside the workspace; changes nothing.',
      'Entries are sorted by path, bytewise; paths are relative to the workspace; size is given for files.',
      'Symlinks are shown as symlinks and never walked through.',
      'Stops at maxEntries with truncated: true.',
    ],
    examples: [
      {
        title: 'List the workspace',
        input: { dir: '.', recursive: false },
        output: {
          dir: '.',
          entries: [
            { path: 'README.md', type: 'file', size: 1200 },
            { path: 'src', type: 'dir' },
          ],
          truncated: false,
        },
      },
    ],
  },
  async ({ dir, recursive, maxEntries }, { files, paths }) => {
    const path = paths.admit(dir);
    const { entries, truncated } = await files.list(path, { recursive, maxEntries });
    return { dir: path.shown, entries, truncated };
  },
);
