/**
 * Takes an entry out of the workspace after the command that made it has ended. It is moved to a folder of ours rather
 * than deleted: it may be a person's, made in the same moment. One entry of each name is kept, the latest. Where it
 * cannot be moved (another file system) it is deleted, through held directories like every deletion.
 *
 * Its name is free at once. What is to be deleted may be large, so that it first gets another name, and is deleted while
 * others have their turn.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, constants, fstatSync, openSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { yieldToLoop } from '../../../text/yield-to-loop';
import { type Anchor, anchorAt } from '../../files/anchor';
import { removeEntry } from '../../files/remove';
import { temporaryName } from '../../files/temporary-name';

/** What became of it, for the message, when all is done. */
export type Fate = () => Promise<string>;

export function takeAway(directory: Anchor, name: string, aside: string | undefined): Fate {
  openUp(directory.at(name));
  return (aside === undefined ? undefined : moveAside(directory, name, aside)) ?? discard(directory, name);
}

function moveAside(directory: Anchor, name: string, aside: string): Fate | undefined {
  let folder: Anchor | undefined;
  try {
    folder = anchorAt(aside, { pinned: true });
    const gone = readdirSync(folder.at()).includes(name) ? discard(folder, name) : undefined;
    renameSync(directory.at(name), folder.at(name));
    return async () => {
      await gone?.();
      return `moved to ${join(aside, name)}`;
    };
  } catch {
    return undefined;
  } finally {
    folder?.close();
  }
}

function discard(directory: Anchor, name: string): Fate {
  const discarded = temporaryName(randomUUID());
  renameSync(directory.at(name), directory.at(discarded));
  const held = directory.share();
  return async () => {
    try {
      await remove(held, discarded);
      return 'removed';
    } catch (error) {
      return `now ${discarded}, and cannot be removed (${error instanceof Error ? error.message : String(error)})`;
    } finally {
      held.close();
    }
  };
}

async function remove(directory: Anchor, name: string): Promise<void> {
  await openUpAll(directory.at(name));
  const pin = {
    directory,
    name,
    shown: name,
    isDirectory: false,
    segments: [name],
    real: name,
    at: () => directory.at(name),
    near: () => directory.near(name),
    syncCreated: () => undefined,
    release: () => {},
  };
  await removeEntry(pin, { recursive: true });
}

async function openUpAll(path: string): Promise<void> {
  await yieldToLoop();
  const held = openUp(path, { isKept: true });
  if (held === undefined) return;
  try {
    for (const child of readdirSync(`/proc/self/fd/${held}`, { withFileTypes: true }))
      if (child.isDirectory()) await openUpAll(join(`/proc/self/fd/${held}`, child.name));
  } finally {
    closeSync(held);
  }
}

/** Directories that nobody may enter or write to can neither be moved nor emptied. */
function openUp(path: string, { isKept = false } = {}): number | undefined {
  let held: number;
  try {
    // O_PATH: needs no permission, follows no link.
    held = openSync(path, 0o10000000 | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  try {
    const { mode } = fstatSync(held);
    if ((mode & 0o700) !== 0o700) chmodSync(`/proc/self/fd/${held}`, (mode & 0o777) | 0o700);
  } catch (error) {
    closeSync(held);
    throw error;
  }
  if (!isKept) closeSync(held);
  return held;
}
