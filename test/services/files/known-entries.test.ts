/** What is remembered of a directory is used only while the directory is the same. */

import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Anchor, anchorAt, canPin } from '../../../src/services/files/anchor';
import { firstEntries } from '../../../src/services/files/first-entries';
import { createKnownEntries, type KnownEntries } from '../../../src/services/files/known-entries';
import { isSettled } from '../../../src/services/files/line-indexes';
import { createPace } from '../../../src/text/yield-to-loop';
import { makeWorkspace, type Workspace } from '../../harness/workspace';

const NAMES = Array.from({ length: 100 }, (_, at) => `n${String(at).padStart(3, '0')}`);

const pace = createPace();
let workspace: Workspace;
let directory: Anchor;
let reads: number;
let known: KnownEntries;
const counting = (showsChanges: boolean) =>
  createKnownEntries({
    read(...args) {
      reads++;
      return firstEntries(...args);
    },
    showsChanges: () => showsChanges,
  });
const at = (name: string) => workspace.path(`many/${name}`);
const namesNow = async (count = 1000) => (await known.of(directory, count, pace)).names;

beforeEach(async () => {
  workspace = makeWorkspace();
  for (const name of NAMES) workspace.write(`many/${name}`, '');
  directory = anchorAt(workspace.path('many'), { pinned: canPin() });
  [reads, known] = [0, counting(true)];
  for (let look = 0; look < 100 && !isSettled(directory.look()); look++) await wait(50);
});
afterEach(() => {
  directory.close();
  workspace.remove();
});

it('a directory that stayed the same is read once', async () => {
  for (let round = 0; round < 3; round++) expect(await namesNow()).toEqual(NAMES);
  expect(reads).toBe(1);
});

it('fewer are the first of those that are known, and more are read', async () => {
  expect(await known.of(directory, 70, pace)).toMatchObject({ names: NAMES.slice(0, 70), isCut: true });
  expect(await known.of(directory, 69, pace)).toMatchObject({ names: NAMES.slice(0, 69), isCut: true });
  expect(reads).toBe(1);
  expect(await known.of(directory, 71, pace)).toMatchObject({ names: NAMES.slice(0, 71), isCut: true });
  expect(await known.of(directory, 100, pace)).toMatchObject({ names: NAMES, isCut: false });
  expect(await known.of(directory, 2000, pace)).toMatchObject({ names: NAMES, isCut: false });
  expect(reads).toBe(3);
});

const CHANGES: Record<string, () => void> = {
  'a new name': () => writeFileSync(at('n0005'), ''),
  'a name that is gone': () => rmSync(at('n005')),
  'another name': () => renameSync(at('n005'), at('z')),
  'a directory instead of a file': () => {
    mkdirSync(workspace.path('other'));
    rmSync(at('n005'));
    renameSync(workspace.path('other'), at('n005'));
  },
  'a link that was renamed over a file': () => {
    symlinkSync('n001', workspace.path('link'));
    renameSync(workspace.path('link'), at('n005'));
  },
  'times that were set back': () => {
    writeFileSync(at('zz'), '');
    utimesSync(workspace.path('many'), new Date(0), new Date(0));
  },
};
for (const [what, change] of Object.entries(CHANGES))
  it(`shows at once: ${what}`, async () => {
    await namesNow();
    change();
    expect(await known.of(directory, 1000, pace)).toEqual(await firstEntries(directory, 1000, pace));
  });

it('what changes while it is read is shown the next time', async () => {
  known = createKnownEntries({
    showsChanges: () => true,
    async read(...args) {
      const entries = await firstEntries(...args);
      writeFileSync(at('zz'), '');
      return entries;
    },
  });
  expect(await namesNow()).toEqual(NAMES);
  expect(await namesNow()).toEqual([...NAMES, 'zz']);
});

it('what changed just now is not remembered: it may change again without showing', async () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(Number(directory.look().ctimeMs) + 50);
  for (let round = 0; round < 3; round++) await namesNow();
  now.mockRestore();
  expect(reads).toBe(3);
});

it('what changes again and again is shown each time', async () => {
  for (let round = 0; round < 200; round++) {
    writeFileSync(at(`m${round}`), '');
    expect(await namesNow(1)).toEqual(['m0']);
    expect((await namesNow()).length).toBe(NAMES.length + round + 1);
  }
});

it('what may not be read any more is not shown from memory', async () => {
  await namesNow();
  chmodSync(workspace.path('many'), 0o300);
  await known.of(directory, 1000, pace).catch(() => undefined);
  expect(reads).toBe(2);
});

it('nothing is remembered where changes may not show', async () => {
  known = counting(false);
  for (let round = 0; round < 3; round++) await namesNow();
  expect(reads).toBe(3);
});
