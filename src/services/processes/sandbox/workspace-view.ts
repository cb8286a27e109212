/**
 * The roots as a command sees them: writable, at their own paths, with the protected names in them (see
 * protected-names) read-only. What is there is mounted over itself, so that it can neither be changed nor moved. What is
 * not there cannot be mounted without leaving something behind: it is given to the guard. A protected name that is a
 * link is guarded as such, and what it leads to is protected in its place.
 *
 * The guard also watches what is mounted: when somebody outside replaces it, the mount is gone with the old entry.
 */
import { readlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isInsideAny } from '../search-path';
import { sandboxUnavailable } from './faults';
import { protectGit } from './git-view';
import { PROTECTED_NAMES } from './protected-names';
import { lookAtPath, type Option, resolveLinks } from './view';

/** A name that must stay as it is: the very entry that is mounted, the link that it was, or else not there. */
export interface Guarded {
  readonly directory: string;
  readonly name: string;
  readonly inode?: number;
  readonly link?: string;
}

export interface WorkspaceView {
  readonly mounts: readonly Option[];
  readonly guarded: readonly Guarded[];
}

export interface Protection {
  /** Mounts what is there over itself, so that it stays in its place. */
  pin(path: string, access: 'writable' | 'read-only'): void;
  /** Protects these names in a directory that is mounted already. */
  protect(directory: string, names: readonly string[]): void;
}

/** The roots must be real paths. Throws `sandbox_unavailable` for a link that cannot be protected. */
export function showWorkspace(roots: readonly string[], options: { git: boolean }): WorkspaceView {
  const sorted = [...roots].sort();
  const mounts: Option[] = sorted.map((root) => ['--bind', root, root]);
  const guarded: Guarded[] = [];
  for (const root of sorted) {
    protect(root, PROTECTED_NAMES);
    protectGit(root, { ...options, protection: { pin, protect } });
  }
  return { mounts, guarded };

  function pin(path: string, access: 'writable' | 'read-only'): void {
    mounts.push([access === 'writable' ? '--bind' : '--ro-bind', path, path]);
    const inode = lookAtPath(path)?.ino;
    if (inode !== undefined) guarded.push({ directory: dirname(path), name: basename(path), inode });
  }

  function protect(directory: string, names: readonly string[]): void {
    for (const name of names) {
      const path = join(directory, name);
      const found = lookAtPath(path);
      if (found === undefined) guarded.push({ directory, name });
      else if (found.isSymbolicLink()) protectLink(directory, name);
      else pin(path, 'read-only');
    }
  }

  function protectLink(directory: string, name: string): void {
    const path = join(directory, name);
    const real = resolveLinks(path);
    if (real === undefined)
      throw sandboxUnavailable(
        `${path} is a symbolic link that leads nowhere, so that it cannot be protected`,
        'Remove the link, or make what it leads to',
      );
    guarded.push({ directory, name, link: readlinkSync(path) });
    // What is outside the roots is not there for the command.
    const root = sorted.find((candidate) => isInsideAny(real, [candidate]));
    if (root === undefined) return;
    if (real === root)
      throw sandboxUnavailable(
        `${path} is a symbolic link to the workspace itself, so that it cannot be protected`,
        'Remove the link',
      );
    // A folder that is a mount cannot be moved away; one that only holds a mount could.
    for (const folder of foldersBetween(root, real)) pin(folder, 'writable');
    pin(real, 'read-only');
  }
}

function foldersBetween(root: string, path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) folders.unshift(folder);
  return folders;
}
