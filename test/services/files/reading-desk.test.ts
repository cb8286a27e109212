/** One larger file at a time lies on the desk; who finds it taken has a place of their own, and nobody reads another's. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Files, JailedPath } from '../../../src/contract/ports';
import { diskTexts } from '../../../src/services/files/disk-texts';
import { createFileLocks } from '../../../src/services/files/file-lock';
import { createJail, type Jail } from '../../../src/services/files/jail';
import { createLineIndexes } from '../../../src/services/files/line-indexes';
import { createPendingWrites } from '../../../src/services/files/pending-writes';
import { takeDesk } from '../../../src/services/files/reading-desk';
import { createFileStore } from '../../../src/services/files/store';
import { stageEdits } from '../../../src/tools/editor/stage-edits';
import { makeWorkspace, type Workspace } from '../../harness/workspace';

const KB = 1024;
const MB = 1024 * KB;

describe('the desk', () => {
  it('is for one at a time, and free again when it is cleared', () => {
    const first = takeDesk(300 * KB);
    expect(first?.bytes.length).toBe(300 * KB);
    expect(takeDesk(300 * KB)).toBeUndefined();
    first?.clear();
    const second = takeDesk(MB);
    first?.clear();
    expect(takeDesk(300 * KB), 'whoever has cleared it has nothing to say any more').toBeUndefined();
    second?.clear();
  });

  it.each([4 * KB, 5 * MB])('is not for %i bytes', (bytes) => {
    expect(takeDesk(bytes)).toBeUndefined();
  });
});

describe('files that lie on it', () => {
  const names = ['a', 'b', 'c', 'd'];
  const textOf = (name: string, size = 3 * MB) => `${name.repeat(99)}\n`.repeat(Math.ceil(size / 100));
  let workspace: Workspace;
  let jail: Jail;
  let files: Files;
  let admit: (path: string) => JailedPath;
  beforeEach(() => {
    workspace = makeWorkspace(Object.fromEntries(names.map((name) => [name, `${textOf(name)}mark ${name}\n`])));
    jail = createJail([workspace.root], { pinned: true });
    files = createFileStore({ jail, locks: createFileLocks() });
    admit = (path) => jail.paths('relative').admit(path);
  });
  afterEach(() => {
    const desk = takeDesk(MB);
    expect(desk, 'nobody has left anything on it').toBeDefined();
    desk?.clear();
    workspace.remove();
  });

  const edit = async (file: string) => {
    const edits = [{ old_string: 'mark', new_string: 'made' }];
    const { result } = await files.editText(admit(file), (given) => stageEdits(admit(file), given, edits));
    return String(result.diff)
      .split('\n')
      .find((line) => line.startsWith('+made'));
  };

  it('are read and edited side by side, each as what it is', async () => {
    const window = { line: 1 };
    const work = names.flatMap((name) => [
      files.readText(admit(name), { maxBytes: 4 * MB }).then(({ text }) => text.slice(0, 3)),
      edit(name),
      files.readLines(admit(name), window).then(({ content }) => String(content).slice(0, 3)),
    ]);
    const head = (name: string) => name.repeat(3);
    expect(await Promise.all(work)).toEqual(names.flatMap((name) => [head(name), `+made ${name}`, head(name)]));
    for (const name of names) expect(workspace.read(name)).toBe(`${textOf(name)}made ${name}\n`);
  });

  it('leave it when they are no text, or the edit fails', async () => {
    workspace.write('binary', Buffer.alloc(MB));
    await expect(files.readText(admit('binary'), { maxBytes: 2 * MB })).rejects.toMatchObject({ kind: 'not_text' });
    await expect(files.readLines(admit('binary'), { line: 1 })).rejects.toMatchObject({ kind: 'not_text' });
    const failing = files.editText(admit('a'), async () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
  });

  it('cannot be asked for their text once they are let go of', async () => {
    const disk = diskTexts(createPendingWrites(), createLineIndexes());
    const pin = jail.pin(admit('a'), { follow: true, missing: 'file_not_found' });
    const provided = await disk.read(pin, { maxBytes: 4 * MB, isBrief: true });
    provided?.letGo?.();
    expect(() => provided?.text).toThrow('let go');
    pin.release('done');
  });
});
