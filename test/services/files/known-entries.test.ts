/** What is remembered of a directory is used only while the directory is the same. */

import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Anchor, anchorAt, canPin } from '../../../src/services/files/anchor';
import { firstEntries, firstEntriesInSteps } from '../../../src/services/files/first-entries';
import { createKnownEntries, type KnownEntries } from '../../../src/services/files/known-entries';
import { isSettled } from '../../../src/services/files/line-indexes';
import type { ReadAside } from '../../../src/services/files/read-aside';
import { runAtOnce } from '../../../src/text/steps';
import { makeWorkspace, type Workspace } from '../../harness/workspace';

const NAMES = Array.from({ length: 100 }, (_, at) => `n${String(at).padStart(3, '0')}`);

let workspace: Workspace;
let directory: Anchor;
let reads: number;
let asides: number;
let known: KnownEntries;
/** As the other thread does it. */
const readAside: ReadAside = async ({ path, count, likely }) =>
  runAtOnce(firstEntriesInSteps({ at: () => path }, count, likely));
const counting = (showsChanges: boolean) =>
  createKnownEntries({
    read(...args) {
      reads++;
      return firstEntries(...args);
    },
    readAside(...args) {
      asides++;
      return readAside(...args);
    },
    showsChanges: () => showsChanges,
  });
const at = (name: string) => workspace.path(`many/${name}`);
const namesNow = async (count = 1000) => (await known.of(directory, { count })).names;

beforeEach(async () => {
  workspace = makeWorkspace();
  for (const name of NAMES) workspace.write(`many/${name}`, '');
  directory = anchorAt(workspace.path('many'), { pinned: canPin() });
  [reads, asides, known] = [0, 0, counting(true)];
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
  expect(await known.of(directory, { count: 70 })).toMatchObject({ names: NAMES.slice(0, 70), isCut: true });
  expect(await known.of(directory, { count: 69 })).toMatchObject({ names: NAMES.slice(0, 69), isCut: true });
  expect(reads).toBe(1);
  expect(await known.of(directory, { count: 71 })).toMatchObject({ names: NAMES.slice(0, 71), isCut: true });
  expect(await known.of(directory, { count: 100 })).toMatchObject({ names: NAMES, isCut: false });
  expect(await known.of(directory, { count: 2000 })).toMatchObject({ names: NAMES, isCut: false });
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
    expect(await known.of(directory, { count: 1000 })).toEqual(await firstEntries(directory, 1000));
  });

it('what changes while it is read is shown the next time', async () => {
  known = createKnownEntries({
    readAside,
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
  await known.of(directory, { count: 1000 }).catch(() => undefined);
  expect(reads).toBe(2);
});

it('nothing is remembered where changes may not show', async () => {
  known = counting(false);
  for (let round = 0; round < 3; round++) await namesNow();
  expect(reads).toBe(3);
});

describe('a directory of many names that has changed', () => {
  const CROWD = Array.from({ length: 1200 }, (_, at) => `c${String(at).padStart(4, '0')}`);
  const former: (readonly string[])[] = [];
  const meanwhile = async (names: readonly string[]) => {
    former.push(names);
  };
  beforeEach(async () => {
    former.length = 0;
    for (const name of CROWD) writeFileSync(at(name), '');
    await known.of(directory, { count: 2000, meanwhile });
    writeFileSync(at('c0000a'), '');
  });

  it('is read aside, and the names of last time are given out meanwhile', async () => {
    const now = await known.of(directory, { count: 1001, meanwhile });
    expect(now).toEqual({ names: ['c0000', 'c0000a', ...CROWD.slice(1, 1000)], kinds: new Map(), isCut: true });
    expect(former).toEqual([CROWD.slice(0, 1001)]);
    expect([reads, asides]).toEqual([1, 1]);
  });

  it('is read aside with the kinds of its entries', async () => {
    mkdirSync(at('c0000d'));
    symlinkSync('n001', at('c0000e'));
    const now = await known.of(directory, { count: 2000, meanwhile });
    expect(now).toEqual(await firstEntries(directory, 2000));
    expect([...now.kinds]).toEqual(
      expect.arrayContaining([
        ['c0000d', 'dir'],
        ['c0000e', 'symlink'],
      ]),
    );
    expect([reads, asides]).toEqual([1, 1]);
  });

  it('is read aside to its end, however long that is', async () => {
    for (let number = 0; number < 9_000; number++) writeFileSync(at(`d${number}`), '');
    const now = await known.of(directory, { count: 20_000, meanwhile });
    expect(now).toEqual(await firstEntries(directory, 20_000));
    expect([now.names.length, asides]).toEqual([NAMES.length + CROWD.length + 1 + 9_000, 1]);
  });

  it('is read in place, where there is nobody to read aside', async () => {
    known = createKnownEntries({ readAside: async () => undefined, showsChanges: () => true });
    for (let round = 0; round < 3; round++) {
      writeFileSync(at(`b${round}`), '');
      expect(await known.of(directory, { count: 2000, meanwhile })).toEqual(await firstEntries(directory, 2000));
    }
    expect(former.length).toBeGreaterThan(0);
  });

  it.each(['reading', 'looking'])('fails when both are done, where %s fails', async (what) => {
    const fail = () => Promise.reject(new Error('trouble'));
    let isBusy = true;
    const takeLong = async () => {
      await wait(50);
      isBusy = false;
      return undefined;
    };
    const [readAside, look] = what === 'reading' ? [fail, takeLong] : [takeLong, fail];
    known = createKnownEntries({ readAside, showsChanges: () => true });
    await namesNow(2000);
    rmSync(at('c0000'));
    await expect(known.of(directory, { count: 1, meanwhile: look })).rejects.toThrow('trouble');
    expect(isBusy).toBe(false);
  });

  it('fails as it does in place, where the names cannot be read', async () => {
    const read = vi.fn(firstEntries);
    known = createKnownEntries({ read, readAside: async () => undefined, showsChanges: () => true });
    await namesNow(2000);
    rmSync(at('c0000'));
    read.mockRejectedValueOnce(new Error('unreadable'));
    await expect(known.of(directory, { count: 1, meanwhile })).rejects.toThrow('unreadable');
  });
});
