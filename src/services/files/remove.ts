/**
 * Deletes a file, a symlink itself, an empty directory, or a whole tree. The tree is walked through held directories,
 * so that a directory swapped for a symlink meanwhile is unlinked, never entered. What has changed its kind since it was
 * looked at is looked at again.
 */
import { accessSync, constants, lstatSync, rmdir, rmdirSync, unlink, unlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { Fault } from '../../contract/fault';
import { elsewhere, runGently, type Steps } from '../../text/steps';
import type { Anchor } from './anchor';
import { lookAt } from './disk';
import { eachEntry } from './each-entry';
import { errnoOf } from './errno';
import type { Pin } from './pin';
import { syncDirectoryAside } from './sync';

/** Hands the loop over meanwhile: a tree can be large. */
export async function removeEntry(pin: Pin, options: { recursive: boolean }): Promise<'file' | 'dir'> {
  const removed = await runGently(removal(pin, options));
  await syncDirectoryAside(pin.directory, { isMuch: removed === 'dir' });
  return removed;
}

function* removal(pin: Pin, { recursive }: { recursive: boolean }): Steps<'file' | 'dir'> {
  if (pin.name === '')
    throw new Fault('invalid_path', { path: pin.shown, problem: 'the workspace itself cannot be deleted' });
  const stat = lookAt(pin);
  if (!stat) throw new Fault('file_not_found', { path: pin.shown });
  if (!stat.isDirectory()) {
    if (pin.isDirectory)
      throw new Fault('invalid_path', { path: pin.shown, problem: 'it ends with a slash, but is not a directory' });
    yield* unlinkSteps(pin.at());
  } else if (recursive) {
    yield* refuseLockedTree(pin.directory, pin.name);
    yield* removeTree(pin.directory, pin.name, { left: MAX_SURPRISES });
  } else yield* removeEmpty(pin);
  return stat.isDirectory() ? 'dir' : 'file';
}

function* removeEmpty(pin: Pin): Steps<void> {
  try {
    rmdirSync(pin.at());
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOTEMPTY' && errnoOf(thrown) !== 'EEXIST') throw thrown;
    throw new Fault('directory_not_empty', { path: pin.shown, entries: yield* countEntries(pin) });
  }
}

export function* countEntries(pin: Pin): Steps<number> {
  const directory = pin.directory.enter(pin.name);
  let count = 0;
  try {
    yield* eachEntry(directory, () => count++);
  } finally {
    directory.close();
  }
  return count;
}

/** Half a tree is worse than a refusal: a directory that may not be emptied is found before anything is removed. */
function* refuseLockedTree(parent: Anchor, name: string): Steps<void> {
  const directory = enterIfDirectory(parent, name);
  if (!directory) return;
  try {
    const { all, directories } = yield* childrenOf(directory);
    if (all.length > 0) accessSync(directory.at(), constants.W_OK | constants.X_OK);
    yield;
    for (const child of directories) yield* refuseLockedTree(directory, child);
  } finally {
    directory.close();
  }
}

/** Entries of one tree that another process may change under our hands before we give up. */
const MAX_SURPRISES = 1_000;

interface Surprises {
  left: number;
}

/** Removes a directory with all that is in it, or whatever else bears the name by now. */
function* removeTree(parent: Anchor, name: string, surprises: Surprises, isDirectory = true): Steps<void> {
  let isEntered = isDirectory;
  for (;;) {
    try {
      if (isEntered) yield* emptyAndRemove(parent, name, surprises);
      else yield* unlinkSteps(parent.at(name));
      return;
    } catch (thrown) {
      const errno = errnoOf(thrown) ?? '';
      if (errno === 'ENOENT') return;
      if (!isSurprise(errno, isEntered) || surprises.left-- <= 0) throw thrown;
      const isNowDirectory = lstatSync(parent.at(name), { throwIfNoEntry: false })?.isDirectory() === true;
      // Some systems say EPERM both for a directory and for what may not be removed.
      if (errno === 'EPERM' && !isNowDirectory) throw thrown;
      isEntered = isNowDirectory;
    }
  }
}

function* emptyAndRemove(parent: Anchor, name: string, surprises: Surprises): Steps<void> {
  const directory = parent.enter(name);
  let count = 0;
  try {
    const { all, directories } = yield* childrenOf(directory);
    for (const child of all) {
      yield;
      yield* removeTree(directory, child, surprises, directories.has(child));
    }
    count = all.length;
  } finally {
    directory.close();
  }
  const path = parent.at(name);
  if (count < LONG_TO_REMOVE) rmdirSync(path);
  else yield* elsewhere(() => rmdirAsync(path));
}

const rmdirAsync = promisify(rmdir);
/** The system goes through all that was in a directory to see that nothing is: 0.8 ms for each thousand. */
const LONG_TO_REMOVE = 5_000;

const unlinkAsync = promisify(unlink);
/** With its last name a file is freed, which takes ext4 a quarter of a millisecond for each megabyte. */
const LONG_TO_FREE_BYTES = 4 * 1_048_576;

function* unlinkSteps(path: string): Steps<void> {
  const { size = 0 } = lstatSync(path, { throwIfNoEntry: false }) ?? {};
  if (size < LONG_TO_FREE_BYTES) unlinkSync(path);
  else yield* elsewhere(() => unlinkAsync(path));
}

/** Their names, all before any of them is dealt with: to remove while reading may pass some over. */
function* childrenOf(directory: Anchor): Steps<{ readonly all: string[]; readonly directories: Set<string> }> {
  const all: string[] = [];
  const directories = new Set<string>();
  yield* eachEntry(directory, (entry) => {
    all.push(entry.name);
    if (entry.isDirectory()) directories.add(entry.name);
  });
  return { all, directories };
}

/** Whether the failure says that the entry is not, or not any more, what it was taken for. */
function isSurprise(errno: string, wasDirectory: boolean): boolean {
  return (wasDirectory ? ['ENOTDIR', 'ELOOP', 'ENOTEMPTY', 'EEXIST'] : ['EISDIR', 'EPERM']).includes(errno);
}

function enterIfDirectory(parent: Anchor, name: string): Anchor | undefined {
  try {
    return parent.enter(name);
  } catch (thrown) {
    if (['ENOTDIR', 'ELOOP', 'ENOENT'].includes(errnoOf(thrown) ?? '')) return undefined;
    throw thrown;
  }
}
