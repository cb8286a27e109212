/** When the editor's text is older than the disk: which of the two is read, and what the agent is told. */
import { utimesSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EditedText, Files, JailedPath } from '../../../src/contract/ports';
import { type BufferWatch, createBufferWatch } from '../../../src/services/files/buffer-watch';
import { createFileLocks } from '../../../src/services/files/file-lock';
import { createJail } from '../../../src/services/files/jail';
import { createFileStore } from '../../../src/services/files/store';
import { type FakeEditor, fakeEditor } from '../../harness/fake-editor';
import { makeWorkspace, type Workspace } from '../../harness/workspace';

let workspace: Workspace;
let editor: FakeEditor;
let watch: BufferWatch;
let files: Files;
let file: string;
let path: JailedPath;

beforeEach(() => {
  workspace = makeWorkspace({ 'a.txt': 'old\n' });
  file = workspace.path('a.txt');
  editor = fakeEditor({ [file]: 'old\n' });
  watch = createBufferWatch();
  const jail = createJail([workspace.root], { pinned: true });
  files = createFileStore({ jail, locks: createFileLocks(), editor, watch });
  path = jail.paths('absolute').admit(file);
});
afterEach(() => workspace.remove());

const read = () => files.readText(path, { maxBytes: 1000 });
const type = (text: string) => void editor.buffers.set(file, text);

function runCommand(text: string): void {
  watch.commandRan();
  workspace.write('a.txt', text);
}

const fresh = (text: string) => ({ text, via: 'editor' });
const stale = (text: string) => ({ text, via: 'disk', warning: expect.stringContaining('older text') });
const differing = (text: string) => ({ text, via: 'editor', warning: expect.stringContaining('differ') });

it('a buffer that is as the disk was is old when the disk changes, each time it is read', async () => {
  expect(await read()).toMatchObject(fresh('old\n'));
  runCommand('new\n');
  expect(await read()).toMatchObject(stale('new\n'));
  expect(await read()).toMatchObject(stale('new\n'));
});

it('it is fresh again when the editor has looked', async () => {
  await read();
  runCommand('new\n');
  await read();
  type('new\n');
  const reread = await read();
  expect(reread).toMatchObject(fresh('new\n'));
  expect(reread.warning).toBeUndefined();
});

it('a buffer in which the person typed is the truth, without a word where no command ran', async () => {
  type('typed\n');
  workspace.write('a.txt', 'saved by somebody\n');
  const typed = await read();
  expect(typed).toMatchObject(fresh('typed\n'));
  expect(typed.warning).toBeUndefined();
});

it('where the person typed and a command changed the file, both are said, to every reader', async () => {
  await read();
  type('typed\n');
  runCommand('new\n');
  expect(await read()).toMatchObject(differing('typed\n'));
  expect(await read()).toMatchObject(differing('typed\n'));
});

it('where nothing is known of before, a text that differs after a command is said', async () => {
  runCommand('new\n');
  expect(await read()).toMatchObject(differing('old\n'));
});

it('a file that no command touched is nobody’s business', async () => {
  const long = new Date(Date.now() - 60_000);
  utimesSync(file, long, long);
  type('typed\n');
  watch.commandRan();
  const typed = await read();
  expect(typed).toMatchObject(fresh('typed\n'));
  expect(typed.warning).toBeUndefined();
});

it('an edit of an old buffer is made to the text on disk, and shown in the editor', async () => {
  await read();
  runCommand('new\n');
  const shout = async (given: EditedText) => ({ text: (await given.whole()).toUpperCase(), tell: () => undefined });
  expect(await files.editText(path, shout)).toMatchObject({
    via: 'editor',
    warning: expect.stringContaining('older text'),
  });
  expect(editor.buffers.get(file)).toBe('NEW\n');
  const edited = await read();
  expect(edited).toMatchObject(fresh('NEW\n'));
  expect(edited.warning).toBeUndefined();
  type('NEW, and typed\n');
  expect((await read()).warning).toBeUndefined();
});

it('an editor that saves what it takes is watched as before', async () => {
  runCommand('new\n');
  workspace.write('a.txt', 'mine\n');
  await files.writeText(path, 'mine\n', { createParents: false });
  runCommand('newer\n');
  expect(await read()).toMatchObject(stale('newer\n'));
});

it('an edit does not make the person’s choice: the two still differ', async () => {
  runCommand('new\n');
  await read();
  await files.editText(path, async (given) => ({ text: `${await given.whole()}more\n`, tell: () => undefined }));
  expect(await read()).toMatchObject(differing('old\nmore\n'));
});

it('what was written through the editor is not old because the disk lags behind', async () => {
  await read();
  await files.writeText(path, 'mine\n', { createParents: false });
  runCommand('new\n');
  expect(await read()).toMatchObject(differing('mine\n'));
});
