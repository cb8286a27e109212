/**
 * What a sandboxed command sees of the file system, as it grows: nothing at first, then what is mounted, in order.
 * A later mount lies over an earlier one.
 */
import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Handed } from '../confinement';

/** Where the filter of system calls is read from. */
export const FILTER_DESCRIPTOR = 3;
/** Of a file that is handed over. What lies outside the home and /tmp is read-only as a whole. */
const FILE_MODE = '0644';

/** One option of bubblewrap with its arguments. */
export type Option = readonly [flag: string, ...values: string[]];

export interface View {
  readonly mounts: readonly Option[];
  /** What the mounts read from the descriptors after that of the filter, in order. */
  readonly handed: readonly Handed[];
  /** Whether the path leads to something inside. */
  shows(path: string): boolean;
  /** Whether the directory can be listed inside, be it that only some of its entries are there. */
  showsDirectory(path: string): boolean;
  add(...options: readonly Option[]): void;
  readOnly(path: string, from?: string): void;
  /**
   * Hands over a file that is written where it is to be, or, where something is shown already, mounted over that. A
   * file is cheaper than a mount: for each mount, bubblewrap reads the list of all the others.
   */
  hand(path: string, from: Handed): void;
  link(path: string, target: string): void;
}

export function createView(): View {
  const mounts: Option[] = [];
  const handed: Handed[] = [];
  const shown = new Set<string>();
  const parents = new Set<string>();
  const note = (path: string) => {
    shown.add(path);
    parents.add(dirname(path));
  };
  const shows = (path: string) => withParents(resolve(path)).some((each) => shown.has(each));
  return {
    mounts,
    handed,
    shows,
    showsDirectory: (path) => parents.has(path) || shows(path),
    add: (...options) => mounts.push(...options),
    readOnly(path, from = path) {
      mounts.push(['--ro-bind', from, path]);
      note(path);
    },
    hand(path, from) {
      handed.push(from);
      const descriptor = String(FILTER_DESCRIPTOR + handed.length);
      if (shows(path)) mounts.push(['--ro-bind-data', descriptor, path]);
      else mounts.push(['--perms', FILE_MODE], ['--file', descriptor, path]);
      note(path);
    },
    link(path, target) {
      mounts.push(['--symlink', target, path]);
      note(path);
    },
  };
}

/** The path itself, and every folder that it is in. */
function withParents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}

/** What stands at a path, links not followed; undefined for nothing, and for what cannot be looked at. */
export function lookAtPath(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function resolveLinks(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
