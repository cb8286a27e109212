import * as z from 'zod';
import { defineTool } from '../../contract/contract';
import { writeErrors } from './errors';

export const moveFile = defineTool(
  {
    name: 'move_file',
    title: 'Move or rename',
    description: 'Move or rename a file or directory of the workspace; missing parent directories are created',
    effect: 'remove',
    input: () => z.strictObject({ from: z.string(), to: z.string(), overwrite: z.boolean().default(false) }),
    output: () => z.object({ from: z.string(), to: z.string(), overwritten: z.boolean() }),
    errors: {
      ...writeErrors,
      file_not_found: { code: 'NOT_FOUND', message: 'Nothing to move at {path}', when: 'There is nothing at from' },
      already_exists: {
        code: 'ALREADY_EXISTS',
        message: '{path} already exists and is {found}',
        when: 'Something is at to, and overwrite is not set or cannot replace it',
      },
      directory_not_empty: {
        code: 'DIRECTORY_NOT_EMPTY',
        message: '{path} has {entries} entries; only an empty directory can be replaced',
        when: 'overwrite is set and the directory at to is not empty',
      },
      into_itself: {
        code: 'INVALID_PATH',
        message: 'Cannot move {path} into itself: {to}',
        when: 'to lies inside from, or is the same',
      },
      parent_not_found: {
        code: 'NOT_DIRECTORY',
        message: 'Cannot create {parent}: a file is in its way',
        when: 'A parent of to is a file',
      },
    },
    constraints: [
      'Both ends stay inside the workspace; symlinks are moved themselves.',
      'Without overwrite nothing is ever replaced, also when two moves race for one name.',
      'overwrite replaces a file, or a directory by a directory only if it is empty.',
    ],
    examples: [
      {
        title: 'Move into a new directory',
        input: { from: 'a.txt', to: 'archive/a.txt' },
        output: { from: 'a.txt', to: 'archive/a.txt', overwritten: false },
      },
    ],
  },
  async ({ from, to, overwrite }, { files, paths }) => {
    const [source, target] = [paths.admit(from), paths.admit(to)];
    const { overwritten } = await files.move(source, target, { overwrite });
    return { from: source.shown, to: target.shown, overwritten };
  },
);
