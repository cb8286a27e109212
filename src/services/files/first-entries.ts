/**
 * The first entries of a directory in bytewise order. All names have to be read to know which are first, but only as
 * many as are wanted are kept. Of a large directory, another thread reads the next names while these are looked at.
 */
import { type Dir, type Dirent, opendirSync } from 'node:fs';
import { FirstOfMany } from '../../text/first-of-many';
import type { Anchor } from './anchor';
import { isTemporaryName } from './atomic-write';

export interface FirstEntries {
  readonly names: readonly string[];
  /** What is no file. */
  readonly kinds: Kinds;
  /** Whether there are more. */
  readonly isCut: boolean;
}

type Kind = 'dir' | 'symlink';
export type Kinds = ReadonlyMap<string, Kind>;

const NAMES_PER_READ = 1024;

export async function firstEntries(directory: Anchor, count: number): Promise<FirstEntries> {
  const names = new FirstOfMany(count);
  const kinds = new Map<string, Kind>();
  const open = opendirSync(directory.at(), { bufferSize: NAMES_PER_READ });
  try {
    // Most directories end here, and need no other thread.
    let entries = takeRead(open, open.readSync());
    while (entries.length === NAMES_PER_READ) {
      const next = open.read();
      sift(entries, names, kinds);
      entries = takeRead(open, await next);
    }
    sift(entries, names, kinds);
  } finally {
    open.closeSync();
  }
  const { first, isCut } = names.take();
  return { names: first, kinds: kinds.size > first.length ? kindsOf(first, kinds) : kinds, isCut };
}

/** Without those that were among the first only for a while. */
function kindsOf(names: readonly string[], kinds: Kinds): Kinds {
  const wanted = new Set(names);
  return new Map([...kinds].filter(([name]) => wanted.has(name)));
}

/** What came with one read: its first entry was given, the others wait for whoever asks. */
function takeRead(open: Dir, first: Dirent | null): Dirent[] {
  const entries: Dirent[] = [];
  for (let entry = first; entry !== null; entry = open.readSync()) if (entries.push(entry) === NAMES_PER_READ) break;
  return entries;
}

function sift(entries: readonly Dirent[], names: FirstOfMany, kinds: Map<string, Kind>): void {
  for (const entry of entries) {
    const { name } = entry;
    // What is being written by this server is not shown.
    if (name.startsWith('.') && isTemporaryName(name)) continue;
    if (!names.offer(name) || entry.isFile()) continue;
    if (entry.isDirectory()) kinds.set(name, 'dir');
    else if (entry.isSymbolicLink()) kinds.set(name, 'symlink');
  }
}
