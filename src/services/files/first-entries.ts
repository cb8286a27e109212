/**
 * The first entries of a directory in bytewise order. All names have to be read to know which are first, but few more
 * than are wanted are kept, and the loop has its turn in between.
 */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { FirstOfMany, firstInOrder } from '../../text/first-of-many';
import { runGently } from '../../text/steps';
import type { Anchor } from './anchor';
import { isTemporaryName } from './atomic-write';
import { eachEntry } from './each-entry';
import { lastSeen } from './last-seen';

export interface FirstEntries {
  readonly names: readonly string[];
  /** What is no file; undefined where only the names were read. */
  readonly kinds: Kinds | undefined;
  /** Whether there are more. */
  readonly isCut: boolean;
}

type Kind = 'dir' | 'symlink';
export type Kinds = ReadonlyMap<string, Kind>;

export async function firstEntries(directory: Anchor, count: number): Promise<FirstEntries> {
  const names = new FirstOfMany(count);
  const kinds = new Map<string, Kind>();
  await runGently(eachEntry(directory, (entry) => offer(entry, names, kinds)));
  const { first, isCut } = firstOf(names);
  return { names: first, kinds: kinds.size > first.length ? kindsOf(first, kinds) : kinds, isCut };
}

/**
 * The names alone, read by another thread: this one is free meanwhile. All are handed over in one go, and on most
 * systems in order.
 */
export async function firstNamesAside(directory: Anchor, count: number): Promise<FirstEntries> {
  const names = (await readdir(directory.at())).filter(isShown);
  const { first, isCut } = firstInOrder(names, count) ?? chooseFirst(names, count);
  return { names: first, kinds: undefined, isCut };
}

function chooseFirst(names: readonly string[], count: number): ReturnType<FirstOfMany['take']> {
  const chosen = new FirstOfMany(count);
  for (const name of names) chosen.offer(name);
  return firstOf(chosen);
}

function firstOf(names: FirstOfMany): ReturnType<FirstOfMany['take']> {
  lastSeen.names = names;
  return names.take();
}

/** Without those that were among the first only for a while. */
function kindsOf(names: readonly string[], kinds: Kinds): Kinds {
  const wanted = new Set(names);
  return new Map([...kinds].filter(([name]) => wanted.has(name)));
}

function offer(entry: Dirent, names: FirstOfMany, kinds: Map<string, Kind>): void {
  const { name } = entry;
  if (!isShown(name) || !names.offer(name) || entry.isFile()) return;
  if (entry.isDirectory()) kinds.set(name, 'dir');
  else if (entry.isSymbolicLink()) kinds.set(name, 'symlink');
}

/** What is being written by this server is not. */
function isShown(name: string): boolean {
  return !(name.startsWith('.') && isTemporaryName(name));
}
