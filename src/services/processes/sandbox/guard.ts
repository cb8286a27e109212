/**
 * Watches the protected names while a command runs. At the first sign of one that was not there, the command is ended;
 * when nothing of it is alive any more, what stands there is taken out of the workspace, and a link that stood there is
 * put back. All names are looked at once more at the end, whatever was seen before.
 *
 * A name that is mounted cannot be changed by the command; but when somebody outside replaces it, the mount is gone.
 * Then the command is ended too. What stands there is theirs and stays.
 *
 * While one command runs, the names that its guard holds absent are not taken for present by the next: `isMeantAbsent`
 * says so. Otherwise the first could plant a link that the second mounts.
 */
import { type FSWatcher, readlinkSync, symlinkSync, watch } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../../contract/fault';
import { type Anchor, anchorAt } from '../../files/anchor';
import type { Guard } from '../confinement';
import { isInsideAny } from '../search-path';
import { type Fate, takeAway } from './take-away';
import { lookAtPath } from './view';
import type { Guarded } from './workspace-view';

/** Where the system gives no more watches. */
const POLL_EVERY_MS = 20;

export interface Guards {
  arm(guarded: readonly Guarded[], options: { command: string; aside: string | undefined }): Guard;
  /** Whether a running command is not allowed to make this entry. */
  isMeantAbsent(path: string): boolean;
  /** Whether a change of this path, by whomever, would end a running command. */
  watches(path: string): boolean;
}

export function createGuards(): Guards {
  const active = new Set<Guarded>();
  return {
    isMeantAbsent: (path) => [...active].some((entry) => entry.inode === undefined && pathOf(entry) === path),
    // What is there may be filled, not replaced; what is not there may not be made, nor anything in it.
    watches: (path) =>
      [...active].some((entry) =>
        entry.inode === undefined ? isInsideAny(path, [pathOf(entry)]) : path === pathOf(entry),
      ),
    arm(guarded, { command, aside }) {
      // Entries of its own: two commands may guard the same names.
      const entries = guarded.map((entry) => ({ ...entry }));
      for (const entry of entries) active.add(entry);
      const { seen, tripped, stop } = watchAll(entries);
      return {
        tripped,
        async settle() {
          stop();
          for (const entry of entries) active.delete(entry);
          const restored = entries
            .filter((entry) => seen.has(entry) || isPlanted(entry))
            .map((entry) => ({ path: pathOf(entry), fate: restore(entry, aside) }));
          const fates = await Promise.all(restored.map(({ fate }) => fate()));
          const [first] = restored.map(({ path }, at) => ({ path, fate: fates[at] ?? '' }));
          return first && new Fault('protected_name', { ...first, command });
        },
      };
    },
  };
}

function pathOf({ directory, name }: Guarded): string {
  return join(directory, name);
}

function watchAll(guarded: readonly Guarded[]): { seen: Set<Guarded>; tripped: Promise<void>; stop: () => void } {
  const seen = new Set<Guarded>();
  const stops: (() => void)[] = [];
  const tripped = new Promise<void>((resolve) => {
    const trip = (entries: readonly Guarded[]) => {
      for (const entry of entries) seen.add(entry);
      if (entries.length > 0) resolve();
    };
    for (const directory of new Set(guarded.map((entry) => entry.directory))) {
      const inside = guarded.filter((entry) => entry.directory === directory);
      const look = () => trip(inside.filter(isPlanted));
      stops.push(
        watchDirectory(directory, look, (event, name) => {
          if (name === null) look();
          else if (event === 'rename') trip(inside.filter((entry) => entry.name === name && isTouched(entry)));
        }),
      );
      look();
    }
  });
  return { seen, tripped, stop: () => stops.forEach((stop) => void stop()) };
}

function watchDirectory(
  directory: string,
  look: () => void,
  hear: (event: string, name: string | null) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const poll = () => {
    timer ??= setInterval(look, POLL_EVERY_MS).unref();
  };
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(directory, { persistent: false }, hear).on('error', poll);
  } catch {
    poll();
  }
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
}

/** Something stands where nothing or a link should be. */
function isPlanted(entry: Guarded): boolean {
  return entry.inode === undefined && isBroken(entry);
}

/**
 * After an event: an entry that came and went is as good as one that stayed. Of a mounted one the number tells, and only
 * then: some file systems give a new number to what was only written to.
 */
function isTouched(entry: Guarded): boolean {
  return entry.inode === undefined || isBroken(entry);
}

function isBroken(entry: Guarded): boolean {
  const found = lookAtPath(pathOf(entry));
  if (entry.inode !== undefined) return found?.ino !== entry.inode;
  if (entry.link === undefined) return found !== undefined;
  return !found?.isSymbolicLink() || readlinkSync(pathOf(entry)) !== entry.link;
}

/** At once; it may take a while until all is done. */
function restore(entry: Guarded, aside: string | undefined): Fate {
  if (entry.inode !== undefined) return async () => 'replaced from outside meanwhile, and left as it is';
  let anchor: Anchor | undefined;
  try {
    anchor = anchorAt(entry.directory, { pinned: true });
    const fate = isBroken(entry) ? takeAway(anchor, entry.name, aside) : async () => 'gone again';
    if (entry.link === undefined || !isBroken(entry)) return fate;
    symlinkSync(entry.link, anchor.at(entry.name));
    return async () => `${await fate()}, and the link is back`;
  } catch (error) {
    return async () => `still there (${error instanceof Error ? error.message : String(error)})`;
  } finally {
    anchor?.close();
  }
}
