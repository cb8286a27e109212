/** The three toolsets: their tools (from the generated index), dialect, path rule, and words for an agent. */
import { envelope, errorObject, plain } from '../contract/dialect';
import type { Toolset } from '../contract/toolset';
import { callErrors as editorErrors } from './editor/errors';
import { editorTools, repoTools, workspaceTools } from './index.generated';
import { callErrors as repoErrors } from './repo/errors';
import { setWords } from './set-words';
import { callErrors as workspaceErrors } from './workspace/errors';

export const toolsets: readonly Toolset[] = [
  {
    name: 'editor',
    tools: editorTools,
    dialect: errorObject,
    pathRule: 'absolute',
    errors: editorErrors,
    instructions: setWords.editor,
  },
  {
    name: 'workspace',
    tools: workspaceTools,
    dialect: envelope,
    pathRule: 'relative',
    errors: workspaceErrors,
    instructions: setWords.workspace,
  },
  {
    name: 'repo',
    tools: repoTools,
    dialect: plain,
    pathRule: 'repository',
    errors: repoErrors,
    instructions: setWords.repo,
  },
];
