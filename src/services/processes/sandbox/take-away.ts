/**
 * Takes an entry out of the workspace after the command that made it has ended. It is moved to a folder of ours rather
 * than deleted: it may be a person's, made in the same moment. One entry of each name is kept, the latest. Where it
 * cannot be moved (another file system) it is deleted, through held directories like every deletion.
 */
import { chmodSync, closeSync, constants, fstatSync, openSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Anchor, anchorAt } from '../../files/anchor';
import { removeEntryAtOnce } from '../../files/remove';

/** What became of it, for the message. */
export function takeAway(directory: Anchor, name: string, aside: string | undefined): string {
  openUp(directory.at(name), { deep: false });
  const kept = aside === undefined ? undefined : moveAside(directory, name, aside);
  if (kept !== undefined) return `moved to ${kept}`;
  remove(directory, name);
  return 'removed';
}

function moveAside(directory: Anchor, name: string, aside: string): string | undefined {
  let folder: Anchor | undefined;
  try {
    folder = anchorAt(aside, { pinned: true });
    if (readdirSync(folder.at()).includes(name)) remove(folder, name);
    renameSync(directory.at(name), folder.at(name));
    return join(aside, name);
  } catch {
    return undefined;
  } finally {
    folder?.close();
  }
}

function remove(directory: Anchor, name: string): void {
  openUp(directory.at(name), { deep: true });
  removeEntryAtOnce(
    {
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
    },
    { recursive: true },
  );
}

/** Directories that nobody may enter or write to can neither be moved nor emptied. */
function openUp(path: string, options: { deep: boolean }): void {
  let held: number;
  try {
    // O_PATH: needs no permission, follows no link.
    held = openSync(path, 0o10000000 | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    return;
  }
  try {
    const itself = `/proc/self/fd/${held}`;
    const { mode } = fstatSync(held);
    if ((mode & 0o700) !== 0o700) chmodSync(itself, (mode & 0o777) | 0o700);
    if (options.deep) for (const child of readdirSync(itself)) openUp(join(itself, child), options);
  } finally {
    closeSync(held);
  }
}
