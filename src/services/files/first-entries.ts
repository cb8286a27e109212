/**
 * The first entries of a directory in bytewise order. All names have to be read to know which are first, but few more
 * than are wanted are kept, and the loop has its turn in between.
 */
import type { Dirent } from 'node:fs';
import { FirstOfMany } from '../../text/first-of-many';
import { runGently, type Steps } from '../../text/steps';
import type { Anchor } from './anchor';
import { eachEntry } from './each-entry';
import { lastSeen } from './last-seen';
import { isTemporaryName } from './temporary-name';

export interface FirstEntries {
  readonly names: readonly string[];
  /** What is no file. */
  readonly kinds: Kinds;
  /** Whether there are more. */
  readonly isCut: boolean;
}

type Kind = 'dir' | 'symlink';
export type Kinds = ReadonlyMap<string, Kind>;

export function firstEntries(directory: Anchor, count: number): Promise<FirstEntries> {
  return runGently(firstEntriesInSteps(directory, count));
}

/** `likely`: the names that were first when it was last read, in order; where they still are, they are the answer. */
export function* firstEntriesInSteps(
  directory: Pick<Anchor, 'at'>,
  count: number,
  likely?: readonly string[],
): Steps<FirstEntries> {
  const names = new FirstOfMany(count, likely);
  const kinds = new Map<string, Kind>();
  yield* eachEntry(directory, (entry) => offer(entry, names, kinds));
  lastSeen.names = names;
  const chosen = names.take();
  if (!chosen) return yield* firstEntriesInSteps(directory, count);
  const { first, isCut } = chosen;
  return { names: first, kinds: kinds.size > first.length ? kindsOf(first, kinds) : kinds, isCut };
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
