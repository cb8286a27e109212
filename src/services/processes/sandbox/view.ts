/**
 * What a sandboxed command sees of the file system, as it grows: nothing at first, then what is mounted, in order.
 * A later mount lies over an earlier one.
 */
import { accessSync, constants, lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Handed } from '../confinement';

/** Of what is handed over. */
export const FIRST_DESCRIPTOR = 3;

/** One option of bubblewrap with its arguments. */
export type Option = readonly [flag: string, ...values: string[]];

export interface View {
  readonly mounts: readonly Option[];
  /** What is read from the descriptors, in order. */
  readonly handed: readonly Handed[];
  /** Whether the path leads to something inside. */
  shows(path: string): boolean;
  /** Whether the directory can be listed inside, be it that only some of its entries are there. */
  showsDirectory(path: string): boolean;
  add(...options: readonly Option[]): void;
  readOnly(path: string, from?: string): void;
  /**
   * A file in the root, which is read-only as a whole; its content is handed over. It is cheaper than a mount: for each
   * mount, bubblewrap reads the list of all the others.
   */
  file(path: string, content: Handed): void;
  link(path: string, target: string): void;
}

/** With what is handed over before any file of the view. */
export function createView(first: readonly Handed[] = []): View {
  const mounts: Option[] = [];
  const handed = [...first];
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
    file(path, content) {
      mounts.push(...fileOf(path, FIRST_DESCRIPTOR + handed.length));
      handed.push(content);
      note(path);
    },
    link(path, target) {
      mounts.push(['--symlink', target, path]);
      note(path);
    },
  };
}

/** Writes what the descriptor has to a path of the root. */
export function fileOf(path: string, descriptor: number): readonly Option[] {
  return [
    ['--perms', '0644'],
    ['--file', String(descriptor), path],
  ];
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

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
