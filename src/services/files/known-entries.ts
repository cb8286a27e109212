/**
 * Remembers the first entries of large directories. A name that comes, goes or becomes another thing gives its directory
 * a new time, so what was read holds for as long as the times stay. Sizes are not remembered: files change without that.
 */
import { type BigIntStats, statfsSync } from 'node:fs';
import type { Pace } from '../../text/yield-to-loop';
import type { Anchor } from './anchor';
import { isSame } from './disk';
import { type FirstEntries, firstEntries } from './first-entries';
import { isSettled } from './line-indexes';

export interface KnownEntries {
  /** The first `count` entries, as they are now. */
  of(directory: Anchor, count: number, pace: Pace): Promise<FirstEntries>;
}

/** To read fewer is as quick as to ask whether they are still the same. */
const MIN_NAMES = 64;
/** In all directories together: about a megabyte. */
const MAX_NAMES = 16_384;

interface Known {
  readonly stat: BigIntStats;
  readonly entries: FirstEntries;
}

export interface KnownEntriesParts {
  readonly read: typeof firstEntries;
  readonly showsChanges: (directory: Anchor) => boolean;
}

export function createKnownEntries({ read, showsChanges }: KnownEntriesParts = USUAL_PARTS): KnownEntries {
  // Oldest use first.
  const known = new Map<string, Known>();
  let names = 0;

  function forget(key: string): void {
    names -= known.get(key)?.entries.names.length ?? 0;
    known.delete(key);
  }

  function remember(key: string, one: Known): void {
    forget(key);
    known.set(key, one);
    names += one.entries.names.length;
    for (const oldest of known.keys()) {
      if (names <= MAX_NAMES) break;
      forget(oldest);
    }
  }

  return {
    async of(directory, count, pace) {
      const stat = directory.look();
      const key = `${stat.dev}:${stat.ino}`;
      const one = known.get(key);
      if (one && isSame(one.stat, stat) && isEnough(one.entries, count)) {
        remember(key, one);
        return cutTo(count, one.entries);
      }
      // Asked before the names are read: whatever changes from then on gives the directory another time.
      const isLasting = isSettled(stat);
      const entries = await read(directory, count, pace);
      if (isLasting && entries.names.length >= MIN_NAMES && showsChanges(directory)) remember(key, { stat, entries });
      return entries;
    },
  };
}

function isEnough({ names, isCut }: FirstEntries, count: number): boolean {
  return !isCut || names.length >= count;
}

function cutTo(count: number, { names, kinds, isCut }: FirstEntries): FirstEntries {
  return names.length <= count ? { names, kinds, isCut } : { names: names.slice(0, count), kinds, isCut: true };
}

/** Whether it is known of the file system that a directory has a new time after each change in it. */
function isFaithful(directory: Anchor): boolean {
  return process.platform === 'linux' && FAITHFUL.has(statfsSync(directory.at()).type);
}

const FAITHFUL = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
]);

const USUAL_PARTS: KnownEntriesParts = { read: firstEntries, showsChanges: isFaithful };
