/**
 * Deletes a file, a symlink itself, an empty directory, or a whole tree. The tree is walked through held directories,
 * so that a directory swapped for a symlink meanwhile is unlinked, never entered. What has changed its kind since it was
 * looked at is looked at again.
 */
import { accessSync, constants, lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { Fault } from '../../contract/fault';
import { createPace, type Pace } from '../../text/yield-to-loop';
import type { Anchor } from './anchor';
import { lookAt } from './disk';
import { errnoOf } from './errno';
import { syncDirectory } from './sync';
import type { Pin } from './walk';

export async function removeEntry(pin: Pin, { recursive }: { recursive: boolean }): Promise<'file' | 'dir'> {
  if (pin.name === '')
    throw new Fault('invalid_path', { path: pin.shown, problem: 'the workspace itself cannot be deleted' });
  const stat = lookAt(pin);
  if (!stat) throw new Fault('file_not_found', { path: pin.shown });
  if (!stat.isDirectory()) {
    if (pin.isDirectory)
      throw new Fault('invalid_path', { path: pin.shown, problem: 'it ends with a slash, but is not a directory' });
    unlinkSync(pin.at());
  } else if (recursive) {
    const pace = createPace();
    await refuseLockedTree(pin.directory, pin.name, pace);
    await removeTree(pin.directory, pin.name, { pace, surprisesLeft: MAX_SURPRISES });
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
async function refuseLockedTree(parent: Anchor, name: string, pace: Pace): Promise<void> {
  const directory = enterIfDirectory(parent, name);
  if (!directory) return;
  try {
    const children = readdirSync(directory.at(), { withFileTypes: true });
    if (children.length > 0) accessSync(directory.at(), constants.W_OK | constants.X_OK);
    if (pace.isTired()) await pace.rest();
    for (const child of children) if (child.isDirectory()) await refuseLockedTree(directory, child.name, pace);
  } finally {
    directory.close();
  }
}

/** Entries of one tree that another process may change under our hands before we give up. */
const MAX_SURPRISES = 1_000;

interface Removal {
  readonly pace: Pace;
  surprisesLeft: number;
}

/** Removes a directory with all that is in it, or whatever else bears the name by now. */
async function removeTree(parent: Anchor, name: string, removal: Removal, isDirectory = true): Promise<void> {
  let isEntered = isDirectory;
  for (;;) {
    try {
      if (isEntered) await emptyAndRemove(parent, name, removal);
      else unlinkSync(parent.at(name));
      return;
    } catch (thrown) {
      const errno = errnoOf(thrown) ?? '';
      if (errno === 'ENOENT') return;
      if (!isSurprise(errno, isEntered) || removal.surprisesLeft-- <= 0) throw thrown;
      const isNowDirectory = lstatSync(parent.at(name), { throwIfNoEntry: false })?.isDirectory() === true;
      // Some systems say EPERM both for a directory and for what may not be removed.
      if (errno === 'EPERM' && !isNowDirectory) throw thrown;
      isEntered = isNowDirectory;
    }
  }
}

async function emptyAndRemove(parent: Anchor, name: string, removal: Removal): Promise<void> {
  const directory = parent.enter(name);
  try {
    for (const child of readdirSync(directory.at(), { withFileTypes: true })) {
      if (removal.pace.isTired()) await removal.pace.rest();
      await removeTree(directory, child.name, removal, child.isDirectory());
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
