/** A preview tells what a call would change, and changes nothing: not on disk, not in the editor. */
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Files, JailedPath } from '../../../src/contract/ports';
import { createFileLocks } from '../../../src/services/files/file-lock';
import { createJail } from '../../../src/services/files/jail';
import { rehearseFiles } from '../../../src/services/files/rehearsal';
import { createFileStore } from '../../../src/services/files/store';
import { type FakeEditor, fakeEditor } from '../../harness/fake-editor';
import { makeWorkspace, type Workspace } from '../../harness/workspace';

let workspace: Workspace;
let editor: FakeEditor;
let rehearsed: ReturnType<typeof rehearseFiles>;
let files: Files;
let admit: (name: string) => JailedPath;

beforeEach(() => {
  workspace = makeWorkspace({ 'a.txt': 'on disk\n' });
  editor = fakeEditor({ [workspace.path('a.txt')]: 'in the buffer\n' });
  const jail = createJail([workspace.root], { pinned: true });
  rehearsed = rehearseFiles(createFileStore({ jail, locks: createFileLocks(), editor }), ({ shown }) => shown);
  files = rehearsed.files;
  admit = (name) => jail.paths('absolute').admit(workspace.path(name));
});
afterEach(() => {
  expect(readdirSync(workspace.root)).toEqual(['a.txt']);
  expect(workspace.read('a.txt')).toBe('on disk\n');
  expect([...editor.buffers.values()]).toEqual(['in the buffer\n']);
  expect(editor.asked.filter((asked) => asked.startsWith('write'))).toEqual([]);
  workspace.remove();
});

it('of an edit [bridge.events.preview]', async () => {
  const { result } = await files.editText(admit('a.txt'), async (given) => ({
    text: (await given.whole()).toUpperCase(),
    tell: () => 'done',
  }));
  expect(result).toBe('done');
  expect(rehearsed.diffs).toEqual([
    { path: workspace.path('a.txt'), oldText: 'in the buffer\n', newText: 'IN THE BUFFER\n' },
  ]);
});

it('of a file that is written, and of one that is not there yet [bridge.events.preview]', async () => {
  await files.writeText(admit('a.txt'), 'new\n', { createParents: true });
  await files.writeText(admit('deep/b.txt'), 'new\n', { createParents: true });
  expect(rehearsed.diffs).toEqual([
    { path: workspace.path('a.txt'), oldText: 'in the buffer\n', newText: 'new\n' },
    { path: workspace.path('deep/b.txt'), oldText: null, newText: 'new\n' },
  ]);
});

it.each([
  ['removing', () => files.remove(admit('a.txt'), { recursive: false })],
  ['moving', () => files.move(admit('a.txt'), admit('b.txt'), { overwrite: false })],
  ['making a directory', () => files.makeDirectory(admit('deep'), { recursive: true })],
])('%s is not even tried [bridge.events.preview]', async (_, work) => {
  await expect(work()).rejects.toMatchObject({ kind: 'cancelled' });
});

it('of a text that nobody would read there is no diff [bridge.events.preview]', async () => {
  await files.writeText(admit('a.txt'), 'x'.repeat(1_048_577), { createParents: true });
  expect(rehearsed.diffs).toEqual([]);
});
