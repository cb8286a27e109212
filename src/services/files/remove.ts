/**
 * Deletes a file, a symlink itself, an empty directory, or a whole tree. The tree is walked through held directories,
 * so that a directory swapped for a symlink meanwhile is unlinked, never entered. What has changed its kind since it was
 * looked at is looked at again.
 */
import { accessSync, constants, lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { Fault } from '../../contract/fault';
import { runAtOnce, runGently, type Steps } from '../../text/steps';
import type { Anchor } from './anchor';
import { lookAt } from './disk';
import { errnoOf } from './errno';
import type { Pin } from './pin';
import { syncDirectory } from './sync';

/** Hands the loop over meanwhile: a tree can be large. */
export function removeEntry(pin: Pin, options: { recursive: boolean }): Promise<'file' | 'dir'> {
  return runGently(removal(pin, options));
}

export function removeEntryAtOnce(pin: Pin, options: { recursive: boolean }): 'file' | 'dir' {
  return runAtOnce(removal(pin, options));
}

function* removal(pin: Pin, { recursive }: { recursive: boolean }): Steps<'file' | 'dir'> {
  if (pin.name === '')
    throw new Fault('invalid_path', { path: pin.shown, problem: 'the workspace itself cannot be deleted' });
  const stat = lookAt(pin);
  if (!stat) throw new Fault('file_not_found', { path: pin.shown });
  if (!stat.isDirectory()) {
    if (pin.isDirectory)
      throw new Fault('invalid_path', { path: pin.shown, problem: 'it ends with a slash, but is not a directory' });
    unlinkSync(pin.at());
  } else if (recursive) {
    yield* refuseLockedTree(pin.directory, pin.name);
    yield* removeTree(pin.directory, pin.name, { left: MAX_SURPRISES });
  } else removeEmpty(pin);
  syncDirectory(pin.directory);
  return stat.isDirectory() ? 'dir' : 'file';
}

function removeEmpty(pin: Pin): void {
  try {
    rmdirSync(pin.at());
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOTEMPTY' && errnoOf(thrown) !== 'EEXIST') throw thrown;
    throw new Fault('directory_not_empty', { path: pin.shown, entries: countEntries(pin) });
  }
}

export function countEntries(pin: Pin): number {
  const directory = pin.directory.enter(pin.name);
  try {
    return readdirSync(directory.at()).length;
  } finally {
    directory.close();
  }
}

/** Half a tree is worse than a refusal: a directory that may not be emptied is found before anything is removed. */
function* refuseLockedTree(parent: Anchor, name: string): Steps<void> {
  const directory = enterIfDirectory(parent, name);
  if (!directory) return;
  try {
    const children = readdirSync(directory.at(), { withFileTypes: true });
    if (children.length > 0) accessSync(directory.at(), constants.W_OK | constants.X_OK);
    yield;
    for (const child of children) if (child.isDirectory()) yield* refuseLockedTree(directory, child.name);
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
      else unlinkSync(parent.at(name));
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
  try {
    for (const child of readdirSync(directory.at(), { withFileTypes: true })) {
      yield;
      yield* removeTree(directory, child.name, surprises, child.isDirectory());
    }
  } finally {
    directory.close();
  }
  rmdirSync(parent.at(name));
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
