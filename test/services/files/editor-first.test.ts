/** The ACP door brings the editor; until a call goes through it, the store is asked directly, with a fake editor. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EditorError } from '../../../src/contract/editor';
import type { Fault } from '../../../src/contract/fault';
import type { Files, JailedPath } from '../../../src/contract/ports';
import { createFileLocks } from '../../../src/services/files/file-lock';
import { createJail } from '../../../src/services/files/jail';
import { createFileStore } from '../../../src/services/files/store';
import { type FakeEditor, fakeEditor } from '../../harness/fake-editor';
import { makeWorkspace, type Workspace } from '../../harness/workspace';

let workspace: Workspace;
let editor: FakeEditor;
let files: Files;
let file: string;
let path: JailedPath;

beforeEach(() => {
  workspace = makeWorkspace({ 'a.txt': 'on disk\n' });
  file = workspace.path('a.txt');
  editor = fakeEditor({ [file]: 'in the buffer\n' });
  const jail = createJail([workspace.root], { pinned: true });
  files = createFileStore({ jail, locks: createFileLocks(), editor });
  path = jail.paths('absolute').admit(file);
});
afterEach(() => workspace.remove());

const read = () => files.readText(path, { maxBytes: 1000 });
const write = (text: string) => files.writeText(path, text, { createParents: false });
const shout = () =>
  files.editText(path, async (given) => ({ text: (await given.whole()).toUpperCase(), tell: () => undefined }));
const faultOf = (work: Promise<unknown>): Promise<Fault> =>
  work.then(
    () => Promise.reject(new Error('no fault')),
    (fault) => fault,
  );

describe('reading', () => {
  it('takes the unsaved buffer for the truth [editor.first.read]', async () => {
    expect(await read()).toMatchObject({ text: 'in the buffer\n', via: 'editor' });
  });

  it('cuts a window from the whole buffer [editor.first.window]', async () => {
    editor.buffers.set(file, '1\n2\n3\n4\n5\n');
    expect(await files.readLines(path, { line: 2, limit: 2 })).toEqual({
      content: '2\n3\n',
      totalLines: 5,
      returnedLines: 2,
      via: 'editor',
    });
  });

  it('goes on to the disk when the editor cannot [editor.first.cannot-read, editor.first.translated]', async () => {
    const fromDisk = { text: 'on disk\n', via: 'disk' };
    editor.canRead = false;
    expect(await read()).toMatchObject(fromDisk);
    expect(editor.asked).toEqual([]);
    editor.canRead = true;
    editor.refuse(new EditorError(-32601, 'Method not found'));
    expect(await read()).toMatchObject(fromDisk);
    editor.refuse(new EditorError(-32002, 'Resource not found'));
    expect(await read()).toMatchObject(fromDisk);
  });

  it('takes a denial for an answer, and leaves the disk alone [editor.first.denied]', async () => {
    editor.refuse(new EditorError(-32603, 'Internal error', 'Permission denied for fs/read_text_file'));
    expect(await faultOf(read())).toMatchObject({ kind: 'permission_denied', facts: { path: file } });
  });

  it.each([
    [-32800, 'Request cancelled'],
    [-32603, 'Timed out after 60 s'],
    [-32000, 'Something else'],
  ])('takes error %i for an answer, and says what the editor said [editor.first.failed]', async (code, said) => {
    editor.refuse(new EditorError(code, said));
    expect(await faultOf(read())).toMatchObject({ kind: 'editor_failed', facts: { path: file, said } });
  });
});

describe('writing', () => {
  it('goes to the buffer, not behind it [editor.first.write]', async () => {
    expect(await write('new\n')).toEqual({ bytes: 4, created: false, via: 'editor' });
    expect(editor.buffers.get(file)).toBe('new\n');
    expect(workspace.read('a.txt')).toBe('on disk\n');
  });

  it('goes on to the disk when the editor cannot write [editor.first.cannot-write]', async () => {
    editor.canWrite = false;
    expect(await write('new\n')).toEqual({ bytes: 4, created: false, via: 'disk' });
    editor.canWrite = true;
    editor.refuse(new EditorError(-32601, 'Method not found'));
    expect(await write('newer\n')).toEqual({ bytes: 6, created: false, via: 'disk' });
    expect(workspace.read('a.txt')).toBe('newer\n');
  });

  it.each([
    [-32603, 'Permission denied for fs/write_text_file', 'permission_denied'],
    [-32800, 'Request cancelled', 'editor_failed'],
    [-32002, 'Resource not found', 'editor_failed'],
  ])('writes nothing after error %i: %s [editor.first.denied, editor.first.failed]', async (code, said, kind) => {
    editor.canRead = false;
    editor.refuse(new EditorError(code, said));
    expect(await faultOf(write('new\n'))).toMatchObject({ kind });
    expect(workspace.read('a.txt')).toBe('on disk\n');
  });

  it('never loses what the person typed while an edit was made [editor.first.typed-meanwhile]', async () => {
    let reads = 0;
    editor.onRead = () => {
      if (++reads === 1) editor.buffers.set(file, 'typed meanwhile\n');
    };
    await shout();
    expect(editor.buffers.get(file)).toBe('TYPED MEANWHILE\n');
  });

  it('gives up on a buffer that never rests, and leaves it as it is [editor.first.typed-meanwhile]', async () => {
    let reads = 0;
    editor.onRead = () => void editor.buffers.set(file, `typing ${++reads}\n`);
    expect(await faultOf(shout())).toMatchObject({ kind: 'changed_meanwhile' });
    expect(editor.buffers.get(file)).toMatch(/^typing \d+\n$/);
  });
});
