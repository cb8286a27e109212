/**
 * The first entries of a directory in bytewise order. All names have to be read to know which are first, but few more
 * than are wanted are kept, and the loop has its turn in between.
 */
import { type Dirent, opendirSync } from 'node:fs';
import { FirstOfMany } from '../../text/first-of-many';
import type { Pace } from '../../text/yield-to-loop';
import type { Anchor } from './anchor';
import { isTemporaryName } from './atomic-write';
import { lastSeen } from './last-seen';

export interface FirstEntries {
  readonly names: readonly string[];
  /** What is no file. */
  readonly kinds: Kinds;
  /** Whether there are more. */
  readonly isCut: boolean;
}

type Kind = 'dir' | 'symlink';
export type Kinds = ReadonlyMap<string, Kind>;

/** Node takes entries from the front of what it has read: the longer that is, the slower. */
const NAMES_PER_READ = 128;
const NAMES_PER_LOOK = 512;

export async function firstEntries(directory: Anchor, count: number, pace: Pace): Promise<FirstEntries> {
  const names = new FirstOfMany(count);
  const kinds = new Map<string, Kind>();
  const open = opendirSync(directory.at(), { bufferSize: NAMES_PER_READ });
  try {
    let seen = 0;
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
      lastSeen.dirent = entry;
      offer(entry, names, kinds);
      if (++seen % NAMES_PER_LOOK === 0 && pace.isTired()) await pace.rest();
    }
  } finally {
    open.closeSync();
    lastSeen.directory = open;
    lastSeen.names = names;
  }
  const { first, isCut } = names.take();
  return { names: first, kinds: kinds.size > first.length ? kindsOf(first, kinds) : kinds, isCut };
}

/** Without those that were among the first only for a while. */
function kindsOf(names: readonly string[], kinds: Kinds): Kinds {
  const wanted = new Set(names);
  return new Map([...kinds].filter(([name]) => wanted.has(name)));
}

function offer(entry: Dirent, names: FirstOfMany, kinds: Map<string, Kind>): void {
  const { name } = entry;
  // What is being written by this server is not shown.
  if (name.startsWith('.') && isTemporaryName(name)) return;
  if (!names.offer(name) || entry.isFile()) return;
  if (entry.isDirectory()) kinds.set(name, 'dir');
  else if (entry.isSymbolicLink()) kinds.set(name, 'symlink');
}
