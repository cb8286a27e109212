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
    instructions:
      'editor (read_text_file, write_text_file, edit_text_file, multi_edit_text_file): absolute paths; use these to read and change text, in windows of lines and with diffs.',
  },
  {
    name: 'workspace',
    tools: workspaceTools,
    dialect: envelope,
    pathRule: 'relative',
    errors: workspaceErrors,
    instructions:
      'workspace (list_dir, read_file, edit_file, write_file, delete_file, move_file, mkdir, run_command): paths relative to the workspace; use these to look around, move, delete and run programs.',
  },
  {
    name: 'repo',
    tools: repoTools,
    dialect: plain,
    pathRule: 'repository',
    errors: repoErrors,
    instructions:
      'repo (hello, read_repo_file, write_memory_entry): read without secrets, and append to the memory files, which asks the user first.',
  },
];
