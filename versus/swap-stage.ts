/**
 * A served folder in which a directory and a symbolic link to the outside change places all the time, with equal names
 * on both sides. The directory itself stays within reach by a descriptor, wherever its name is at the moment.
 */
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Pair } from './attack';
import { makeFolder } from './places';

/** Stands in every file outside; an answer that shows it has read outside. */
export const SECRET = 'OUTSIDE-SECRET';
export const BATCH = 16;

export interface SwapStage {
  readonly root: string;
  /** The directory's name in the served folder. */
  readonly directory: string;
  readonly pairs: Pair[];
  inside(name: string): string;
  outside(name: string): string;
  /** Beside the swapped directory, and never swapped. */
  beside(name: string): string;
  remove(): void;
}

export function makeSwapStage(directory: string): SwapStage {
  const folder = makeFolder({ inMemory: true });
  const real = folder.at('ws', directory);
  const link = join(dirname(real), 'l');
  mkdirSync(real, { recursive: true });
  mkdirSync(folder.at('ws', 's'));
  mkdirSync(folder.at('out'));
  symlinkSync(folder.at('out'), link);
  const held = openSync(real, constants.O_RDONLY | constants.O_DIRECTORY);
  return {
    root: folder.at('ws'),
    directory,
    pairs: [[real, link]],
    inside: (name) => `/proc/self/fd/${held}/${name}`,
    outside: (name) => folder.at('out', name),
    beside: (name) => folder.at('ws', 's', name),
    remove() {
      closeSync(held);
      folder.remove();
    },
  };
}

/** Sets the files' contents anew where they differ, and tells how many did. */
export function restore(paths: readonly string[], content: string): number {
  let changed = 0;
  for (const path of paths) {
    if (contentOf(path) === content) continue;
    changed++;
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, content);
  }
  return changed;
}

/** Removes the paths, and tells how many were there. */
export function clear(paths: readonly string[]): number {
  let found = 0;
  for (const path of paths) {
    try {
      rmSync(path, { recursive: true });
      found++;
    } catch {
      // It is not there, as it should be.
    }
  }
  return found;
}

export function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Removes from a directory whatever is not expected there, and tells how much it was. */
export function clearOthers(directory: string, expected: ReadonlySet<string>): number {
  const others = readdirSync(directory).filter((name) => !expected.has(name));
  return clear(others.map((name) => join(directory, name)));
}
