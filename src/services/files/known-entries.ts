/**
 * Remembers the first entries of large directories. A name that comes, goes or becomes another thing gives its directory
 * a new time, so what was read holds for as long as the times stay. Sizes are not remembered: files change without that.
 * Names that hold no longer are still a good guess: while another thread reads those of now, their sizes are looked at.
 */
import { type BigIntStats, statfsSync } from 'node:fs';
import type { Anchor } from './anchor';
import { isSame } from './disk';
import { type FirstEntries, firstEntries } from './first-entries';
import { isSettled } from './line-indexes';
import type { ReadAside } from './read-aside';

export interface KnownEntries {
  /** The first entries, as they are now. */
  of(directory: Anchor, wanted: Wanted): Promise<FirstEntries>;
}

export interface Wanted {
  readonly count: number;
  /** What to do with the names of last time while those of now are being read. */
  readonly meanwhile?: ((names: readonly string[]) => Promise<void>) | undefined;
}

/** To read fewer is as quick as to ask whether they are still the same. */
const MIN_NAMES = 64;
/** In all directories together: about a megabyte. */
const MAX_NAMES = 16_384;
/** To read fewer takes no longer than to have another thread do it. */
const MIN_NAMES_ASIDE = 1000;
/** On disk: some 65,000 names, for which others can wait. */
const MAX_BYTES_ASIDE = 2_097_152;

interface Known {
  readonly stat: BigIntStats;
  readonly entries: FirstEntries;
  /** Whether they hold for as long as the times stay; else they are a guess. */
  readonly isLasting: boolean;
}

export interface KnownEntriesParts {
  readonly read?: typeof firstEntries;
  /** Without it, names are read in place. */
  readonly readAside?: ReadAside | undefined;
  readonly showsChanges?: (directory: Anchor) => boolean;
}

export function createKnownEntries(parts: KnownEntriesParts): KnownEntries {
  const { read = firstEntries, readAside, showsChanges = isFaithful } = parts;
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

  async function readNow(directory: Anchor, size: bigint, wanted: Wanted, guess: FirstEntries | undefined) {
    const { count, meanwhile } = wanted;
    if (!readAside || !guess || !meanwhile || guess.names.length < MIN_NAMES_ASIDE || size > MAX_BYTES_ASIDE)
      return read(directory, count);
    const likely = cutTo(count, guess).names;
    const reading = readAside({ path: directory.at(), count, likely });
    const looking = meanwhile(likely);
    // Both have the directory open; what is wrong is told when both are done.
    await Promise.allSettled([reading, looking]);
    await looking;
    return (await reading) ?? read(directory, count);
  }

  return {
    async of(directory, wanted) {
      const stat = directory.look();
      const key = `${stat.dev}:${stat.ino}`;
      const one = known.get(key);
      if (one?.isLasting && isSame(one.stat, stat) && isEnough(one.entries, wanted)) {
        remember(key, one);
        return cutTo(wanted.count, one.entries);
      }
      // Asked before the names are read: whatever changes from then on gives the directory another time.
      const isLasting = isSettled(stat);
      const entries = await readNow(directory, stat.size, wanted, one?.entries);
      if (entries.names.length >= MIN_NAMES && showsChanges(directory)) remember(key, { stat, entries, isLasting });
      return entries;
    },
  };
}

function isEnough({ names, isCut }: FirstEntries, { count }: Wanted): boolean {
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
