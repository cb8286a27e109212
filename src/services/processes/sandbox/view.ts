/**
 * What a sandboxed command sees of the file system, as it grows: nothing at first, then what is mounted, in order.
 * A later mount lies over an earlier one.
 */
import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { isInsideAny } from '../search-path';

/** One option of bubblewrap with its arguments. */
export type Option = readonly [flag: string, ...values: string[]];

export interface View {
  readonly mounts: readonly Option[];
  /** Whether the path leads to something inside. */
  shows(path: string): boolean;
  /** Whether the directory can be listed inside, be it that only some of its entries are there. */
  showsDirectory(path: string): boolean;
  add(...options: readonly Option[]): void;
  readOnly(path: string, from?: string): void;
  link(path: string, target: string): void;
}

export function createView(): View {
  const mounts: Option[] = [];
  const shown = new Set<string>();
  const parents = new Set<string>();
  const note = (path: string) => {
    shown.add(path);
    parents.add(dirname(path));
  };
  const shows = (path: string) => isInsideAny(path, [...shown]);
  return {
    mounts,
    shows,
    showsDirectory: (path) => parents.has(path) || shows(path),
    add: (...options) => mounts.push(...options),
    readOnly(path, from = path) {
      mounts.push(['--ro-bind', from, path]);
      note(path);
    },
    link(path, target) {
      mounts.push(['--symlink', target, path]);
      note(path);
    },
  };
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
