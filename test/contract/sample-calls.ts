/** For every tool one call that succeeds and one that fails, on the files that they need. */
import type { Workspace } from '../harness/workspace';

export interface SampleCall {
  readonly tool: string;
  readonly succeeds: object;
  readonly fails: object;
  /** The code of that failure. */
  readonly code: number | string;
}

export const BULK_READERS = ['read_text_file', 'read_file', 'read_repo_file'];

const FILES = {
  'read.txt': 'one\ntwo\n',
  'edit-a.txt': 'old\n',
  'edit-b.txt': 'old\n',
  'edit-c.txt': 'old\n',
  'delete.txt': 'x',
  'move.txt': 'x',
  'full/a.txt': 'x',
};

/** Puts the files there, anew where a call has changed them. */
export function writeSampleFiles(workspace: Workspace): void {
  for (const [name, content] of Object.entries(FILES)) workspace.write(name, content);
}

/** Made from the root, since the editor tools take absolute paths. `text` is what the calls carry along. */
export function sampleCalls({ root, path }: Pick<Workspace, 'root' | 'path'>, text = 'new'): readonly SampleCall[] {
  return [
    {
      tool: 'read_text_file',
      succeeds: { path: path('read.txt') },
      fails: { path: path(`missing-${text}.txt`) },
      code: -32001,
    },
    {
      tool: 'write_text_file',
      succeeds: { path: path('written-a.txt'), content: text },
      fails: { path: root, content: text },
      code: -32003,
    },
    {
      tool: 'edit_text_file',
      succeeds: { path: path('edit-a.txt'), old_string: 'old', new_string: text },
      fails: { path: path('read.txt'), old_string: `no ${text}`, new_string: 'x' },
      code: -32010,
    },
    {
      tool: 'multi_edit_text_file',
      succeeds: { path: path('edit-b.txt'), edits: [{ old_string: 'old', new_string: text }] },
      fails: {
        path: path('read.txt'),
        edits: [
          { old_string: 'one', new_string: text },
          { old_string: `no ${text}`, new_string: 'x' },
        ],
      },
      code: -32010,
    },
    { tool: 'list_dir', succeeds: { dir: '.' }, fails: { dir: `missing-${text}` }, code: 'NOT_FOUND' },
    { tool: 'read_file', succeeds: { file: 'read.txt' }, fails: { file: `missing-${text}` }, code: 'NOT_FOUND' },
    {
      tool: 'edit_file',
      succeeds: { file: 'edit-c.txt', find: 'old', replace: text },
      fails: { file: 'read.txt', find: `no ${text}`, replace: 'x' },
      code: 'PATTERN_NOT_FOUND',
    },
    {
      tool: 'write_file',
      succeeds: { file: 'new/written-b.txt', content: text },
      fails: { file: 'full', content: text },
      code: 'NOT_FILE',
    },
    { tool: 'delete_file', succeeds: { path: 'delete.txt' }, fails: { path: 'full' }, code: 'DIRECTORY_NOT_EMPTY' },
    {
      tool: 'move_file',
      succeeds: { from: 'move.txt', to: 'moved/here.txt' },
      fails: { from: 'read.txt', to: 'full/a.txt' },
      code: 'ALREADY_EXISTS',
    },
    { tool: 'mkdir', succeeds: { dir: 'made/deep' }, fails: { dir: 'read.txt' }, code: 'ALREADY_EXISTS' },
    {
      tool: 'run_command',
      succeeds: { command: 'node', args: ['-e', `process.stdout.write(${JSON.stringify(text)})`] },
      fails: { command: 'bash', args: ['-c', text] },
      code: 'COMMAND_NOT_ALLOWED',
    },
    { tool: 'hello', succeeds: { name: text }, fails: { name: 7 }, code: 'INVALID_ARGUMENT' },
    {
      tool: 'read_repo_file',
      succeeds: { path: 'read.txt' },
      fails: { path: `.env.${text}` },
      code: 'BLOCKED',
    },
    {
      tool: 'write_memory_entry',
      succeeds: { file: 'best_practices.md', entry: text },
      fails: { file: 'decisions.jsonl', entry: `{ ${text}` },
      code: 'INVALID_ENTRY',
    },
  ];
}

export function sampleOf(tool: string, workspace: Workspace): SampleCall {
  const sample = sampleCalls(workspace).find((call) => call.tool === tool);
  if (!sample) throw new Error(`${tool} has no sample call`);
  return sample;
}
