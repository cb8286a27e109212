/**
 * The first entries of a directory in bytewise order. All names have to be read to know which are first, but only as
 * many as are wanted are kept, and the loop has its turn in between.
 */
import { type Dir, type Dirent, opendirSync } from 'node:fs';
import type { Pace } from '../../text/yield-to-loop';
import type { Anchor } from './anchor';
import { isTemporaryName } from './atomic-write';

export interface FirstEntries {
  readonly entries: readonly Dirent[];
  /** Whether there are more. */
  readonly isCut: boolean;
}

const NAMES_PER_READ = 4096;
const NAMES_PER_LOOK = 512;

export async function firstEntries(directory: Anchor, count: number, pace: Pace): Promise<FirstEntries> {
  const found: Dirent[] = [];
  const open = opendirSync(directory.at(), { bufferSize: NAMES_PER_READ });
  // Once more than enough were found: the last of the first.
  let last: string | undefined;
  try {
    for (let seen = 1; keepNext(open, found, last); seen++) {
      if (found.length >= 2 * count + NAMES_PER_LOOK) last = cutTo(count, found);
      if (seen % NAMES_PER_LOOK === 0 && pace.isTired()) await pace.rest();
    }
  } finally {
    open.closeSync();
  }
  last = cutTo(count, found) ?? last;
  return { entries: found, isCut: last !== undefined };
}

/** False at the end. What is being written by this server is not shown; what comes after the last is not wanted. */
function keepNext(open: Dir, found: Dirent[], last: string | undefined): boolean {
  const entry = open.readSync();
  if (entry === null) return false;
  const isTooLate = last !== undefined && entry.name > last && !SURROGATE.test(entry.name + last);
  if (!isTooLate && !isTemporaryName(entry.name)) found.push(entry);
  return true;
}

/** Sorts what was found and drops all but the first; gives the last of those, if anything was dropped. */
function cutTo(count: number, found: Dirent[]): string | undefined {
  const compare = comparerFor(found.map(({ name }) => name));
  found.sort((one, other) => compare(one.name, other.name));
  return found.splice(count).length > 0 ? found.at(-1)?.name : undefined;
}

/** The order of UTF-8. That of JavaScript differs from it only where surrogates are involved. */
export function comparerFor(names: readonly string[]): (one: string, other: string) => number {
  if (names.some((name) => SURROGATE.test(name)))
    return (one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other));
  return (one, other) => (one < other ? -1 : one > other ? 1 : 0);
}

const SURROGATE = /[\ud800-\udfff]/;
