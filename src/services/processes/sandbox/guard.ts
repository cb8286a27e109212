/**
 * Watches the protected names that were not there when a command began. At the first sign of one the command is ended;
 * when nothing of it is alive any more, what stands there is taken out of the workspace, and a link that stood there is
 * put back. All names are looked at once more at the end, whatever was seen before.
 *
 * While one command runs, the names that its guard holds absent are not taken for present by the next: `isHeld` says
 * so. Otherwise the first could plant a link that the second mounts.
 */
import { type FSWatcher, readlinkSync, symlinkSync, watch } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../../contract/fault';
import { type Anchor, anchorAt } from '../../files/anchor';
import type { Guard } from '../confinement';
import { takeAway } from './take-away';
import { lookAtPath } from './view';
import type { Guarded } from './workspace-view';

/** Where the system gives no more watches. */
const POLL_EVERY_MS = 20;

export interface Guards {
  arm(guarded: readonly Guarded[], options: { command: string; aside: string | undefined }): Guard;
  /** Whether a running command is not allowed to make this entry. */
  isHeld(path: string): boolean;
}

export function createGuards(): Guards {
  const held = new Map<string, number>();
  const count = (paths: readonly string[], step: 1 | -1) => {
    for (const path of paths) held.set(path, (held.get(path) ?? 0) + step);
  };
  return {
    isHeld: (path) => (held.get(path) ?? 0) > 0,
    arm(guarded, options) {
      const paths = guarded.map(({ directory, name }) => join(directory, name));
      count(paths, 1);
      const { seen, tripped, stop } = watchAll(guarded);
      return {
        tripped,
        settle() {
          stop();
          const fates = guarded.filter((entry) => seen.has(entry) || isBroken(entry)).map(mend);
          count(paths, -1);
          const [first] = fates;
          return first && new Fault('protected_name', { ...first, command: options.command });
        },
      };

      function mend(entry: Guarded): { path: string; fate: string } {
        return { path: join(entry.directory, entry.name), fate: restore(entry, options.aside) };
      }
    },
  };
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
      const look = () => trip(inside.filter(isBroken));
      stops.push(
        watchDirectory(directory, look, (event, name) => {
          if (name === null) look();
          // An entry that came and went is as good as one that stayed.
          else if (event === 'rename') trip(inside.filter((entry) => entry.name === name));
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

function isBroken({ directory, name, link }: Guarded): boolean {
  const found = lookAtPath(join(directory, name));
  if (link === undefined) return found !== undefined;
  return !found?.isSymbolicLink() || readlinkSync(join(directory, name)) !== link;
}

/** What became of the entry, for the message. */
function restore(entry: Guarded, aside: string | undefined): string {
  let anchor: Anchor | undefined;
  try {
    anchor = anchorAt(entry.directory, { pinned: true });
    const fate = isBroken(entry) ? takeAway(anchor, entry.name, aside) : 'gone again';
    if (entry.link === undefined || !isBroken(entry)) return fate;
    symlinkSync(entry.link, anchor.at(entry.name));
    return `${fate}, and the link is back`;
  } catch (error) {
    return `still there (${error instanceof Error ? error.message : String(error)})`;
  } finally {
    anchor?.close();
  }
}
