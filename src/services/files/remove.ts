/**
 * Deletes a file, a symlink itself, an empty directory, or a whole tree. The tree is walked through held directories,
 * so that a directory swapped for a symlink meanwhile is unlinked, never entered.
 */
import { accessSync, constants, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
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
    await removeTree(pin.directory, pin.name, pace);
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

async function removeTree(parent: Anchor, name: string, pace: Pace): Promise<void> {
  const directory = enterIfDirectory(parent, name);
  if (!directory) {
    unlinkSync(parent.at(name));
    return;
  }
  try {
    for (const child of readdirSync(directory.at(), { withFileTypes: true })) {
      if (pace.isTired()) await pace.rest();
      if (child.isDirectory()) await removeTree(directory, child.name, pace);
      else unlinkSync(directory.at(child.name));
    }
  } finally {
    directory.close();
  }
  rmdirSync(parent.at(name));
}

function enterIfDirectory(parent: Anchor, name: string): Anchor | undefined {
  try {
    return parent.enter(name);
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOTDIR' || errnoOf(thrown) === 'ELOOP') return undefined;
    throw thrown;
  }
}
