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
  /** What is no file; there may be more of them than names. */
  readonly kinds: Kinds;
  /** Whether there are more. */
  readonly isCut: boolean;
}

export type Kinds = ReadonlyMap<string, 'dir' | 'symlink'>;

const NAMES_PER_READ = 1024;

export async function firstEntries(directory: Anchor, count: number): Promise<FirstEntries> {
  const names = new FirstOfMany(count);
  const kinds = new Map<string, 'dir' | 'symlink'>();
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
  return { names: first, kinds, isCut };
}

/** What came with one read: its first entry was given, the others wait for whoever asks. */
function takeRead(open: Dir, first: Dirent | null): Dirent[] {
  const entries: Dirent[] = [];
  for (let entry = first; entry !== null; entry = open.readSync()) if (entries.push(entry) === NAMES_PER_READ) break;
  return entries;
}

function sift(entries: readonly Dirent[], names: FirstOfMany, kinds: Map<string, 'dir' | 'symlink'>): void {
  for (const entry of entries) {
    const { name } = entry;
    // What is being written by this server is not shown.
    if (!name.startsWith('.') || !isTemporaryName(name)) names.offer(name);
    if (entry.isFile()) continue;
    if (entry.isDirectory()) kinds.set(name, 'dir');
    else if (entry.isSymbolicLink()) kinds.set(name, 'symlink');
  }
}
