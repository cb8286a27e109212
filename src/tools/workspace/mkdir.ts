import * as z from 'zod';
import { defineTool } from '../../contract/contract';
import { writeErrors } from './errors';

export const mkdir = defineTool(
  {
    name: 'mkdir',
    title: 'Create directory',
    description: 'Create a directory of the workspace, by default with its parents',
    effect: 'create',
    input: () => z.strictObject({ dir: z.string(), recursive: z.boolean().default(true) }),
    output: () => z.object({ dir: z.string(), created: z.boolean() }),
    errors: {
      ...writeErrors,
      parent_not_found: {
        code: 'NOT_FOUND',
        message: 'Parent directory does not exist: {parent}',
        when: 'The parent is missing and recursive is not set',
      },
      already_exists: {
        code: 'ALREADY_EXISTS',
        message: '{path} already exists and is {found}',
        when: 'Something that is not a directory is at the path',
      },
    },
    constraints: [
      'Creates directories inside the workspace only.',
      'created is false where the directory is there already.',
    ],
    examples: [
      {
        title: 'Create nested directories',
        input: { dir: 'src/components', recursive: true },
        output: { dir: 'src/components', created: true },
      },
    ],
  },
  async ({ dir, recursive }, { files, paths }) => {
    const path = paths.admit(dir);
    return { dir: path.shown, ...(await files.makeDirectory(path, { recursive })) };
  },
);
