/** Large directories: the first entries are found among all, and others have their turn while they are walked. */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Files, JailedPath } from '../../../src/contract/ports';
import { createFileLocks } from '../../../src/services/files/file-lock';
import { createJail } from '../../../src/services/files/jail';
import { createFileStore } from '../../../src/services/files/store';
import { makeWorkspace, type Workspace } from '../../harness/workspace';

let workspace: Workspace;
let files: Files;
let admit: (path: string) => JailedPath;
beforeEach(() => {
  workspace = makeWorkspace();
  const jail = createJail([workspace.root], { pinned: true, synced: false });
  files = createFileStore({ jail, locks: createFileLocks() });
  admit = (path) => jail.paths('relative').admit(path);
});
afterEach(() => workspace.remove());

const fill = (folder: string, names: readonly string[]) => {
  mkdirSync(workspace.path(folder), { recursive: true });
  for (const name of names) writeFileSync(join(workspace.path(folder), name), '');
};
// Sorted otherwise by bytes than by UTF-16 units.
const HEADS = ['😀', '～', 'z', 'a', 'é', ''];
/** In an order that has nothing to do with the alphabet. */
const names = (count: number) =>
  Array.from({ length: count }, (_, at) => `${HEADS[at % HEADS.length]}${(at * 7919) % count}`);
const inBytes = (all: readonly string[]) =>
  [...new Set(all)]
    .map((name) => Buffer.from(name))
    .sort(Buffer.compare)
    .map(String);

async function turnsDuring<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0;
  let timer = setImmediate(function tick() {
    turns++;
    timer = setImmediate(tick);
  });
  const result = await work().finally(() => clearImmediate(timer));
  return { result, turns };
}

it.each([1, 4, 37, 1999])('the first %i of many are the bytewise first', async (maxEntries) => {
  const all = names(2200);
  fill('many', all);
  for (const recursive of [false, true]) {
    const { entries, truncated } = await files.list(admit('many'), { recursive, maxEntries });
    const expected = inBytes(all).slice(0, maxEntries);
    expect({ paths: entries.map(({ path }) => path.slice('many/'.length)), truncated }).toEqual({
      paths: expected,
      truncated: expected.length < all.length,
    });
  }
});

it('a name that UTF-16 would put later is not passed over', async () => {
  const all = Array.from({ length: 1400 }, (_, at) => `${at % 70 === 0 ? '～' : '😀'}${at}`);
  fill('many', all);
  const { entries } = await files.list(admit('many'), { recursive: false, maxEntries: 37 });
  expect(entries.map(({ path }) => path.slice('many/'.length))).toEqual(inBytes(all).slice(0, 37));
});

it('directories stand among files, and their contents behind what sorts before a slash', async () => {
  for (const folder of ['a', 'a-b', 'b', 'b/c', 'z']) fill(folder, ['1', '2']);
  fill('.', ['a.txt', 'b!', 'c']);
  const whole = (await files.list(admit('.'), { recursive: true, maxEntries: 100 })).entries.map(({ path }) => path);
  expect(whole).toEqual(inBytes(whole));
  for (let maxEntries = 1; maxEntries <= whole.length; maxEntries++) {
    const { entries, truncated } = await files.list(admit('.'), { recursive: true, maxEntries });
    expect([entries.map(({ path }) => path), truncated]).toEqual([
      whole.slice(0, maxEntries),
      maxEntries < whole.length,
    ]);
  }
});

it('others have their turn in all that is done with a large directory', async () => {
  const count = 20_000;
  mkdirSync(workspace.path('flat'));
  for (let at = 0; at < count; at++) closeSync(openSync(workspace.path(`flat/${at}`), 'w'));
  mkdirSync(workspace.path('other'));
  const refused = { kind: 'directory_not_empty', facts: { path: 'flat', entries: count } };
  const counted = await turnsDuring(() => files.remove(admit('flat'), { recursive: false }).catch((fault) => fault));
  expect(counted.result).toMatchObject(refused);
  const moved = await turnsDuring(() =>
    files.move(admit('other'), admit('flat'), { overwrite: true }).catch((fault) => fault),
  );
  expect(moved.result).toMatchObject(refused);
  const removed = await turnsDuring(() => files.remove(admit('flat'), { recursive: true }));
  expect([removed.result, readdirSync(workspace.root)]).toEqual(['dir', ['other']]);
  expect([counted.turns > 0, moved.turns > 0, removed.turns > 1]).toEqual([true, true, true]);
});

it('what was left long ago beside a file is removed after the next write there, what is new is not', async () => {
  const [old, young] = ['.tenon-0123456789ab.tmp', '.tenon-ba9876543210.tmp'];
  fill('.', [old, young, 'other.txt']);
  const yesterday = new Date(Date.now() - 86_400_000);
  for (const name of [old, 'other.txt']) utimesSync(workspace.path(name), yesterday, yesterday);
  await files.writeText(admit('new.txt'), 'x', { createParents: false });
  await expect.poll(() => readdirSync(workspace.root).sort()).toEqual([young, 'new.txt', 'other.txt']);
});

it('others have their turn while a large directory is listed, and while a large tree is deleted', async () => {
  for (let folder = 0; folder < 10; folder++) fill(`tree/${folder}`, names(400));
  const listed = await turnsDuring(() => files.list(admit('tree'), { recursive: true, maxEntries: 100_000 }));
  const removed = await turnsDuring(() => files.remove(admit('tree'), { recursive: true }));
  expect([listed.result.truncated, removed.result, existsSync(workspace.path('tree'))]).toEqual([false, 'dir', false]);
  expect([listed.turns > 0, removed.turns > 0]).toEqual([true, true]);
});
