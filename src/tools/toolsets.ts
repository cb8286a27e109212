/** The three toolsets: their tools (from the generated index), dialect, path rule, and words for an agent. */
import { envelope, errorObject, plain } from '../contract/dialect';
import type { Toolset } from '../contract/toolset';
import { callErrors as editorErrors } from './editor/errors';
import { editorTools, repoTools, workspaceTools } from './index.generated';
import { callErrors as repoErrors } from './repo/errors';
import { callErrors as workspaceErrors } from './workspace/errors';

export const toolsets: readonly Toolset[] = [
  {
    name: 'editor',
    tools: editorTools,
    dialect: errorObject,
    pathRule: 'absolute',
    errors: editorErrors,
    instructions: 'absolute paths; to read and change text, in windows of lines and with diffs.',
  },
  {
    name: 'workspace',
    tools: workspaceTools,
    dialect: envelope,
    pathRule: 'relative',
    errors: workspaceErrors,
    instructions: 'paths relative to the workspace; to look around, change, move and delete files and run programs.',
  },
  {
    name: 'repo',
    tools: repoTools,
    dialect: plain,
    pathRule: 'repository',
    errors: repoErrors,
    instructions:
      'paths relative to the repository; to read without secrets, and to append to the memory files, which asks the user first.',
  },
];
