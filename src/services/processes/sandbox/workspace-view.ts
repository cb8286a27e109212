/**
 * The roots as a command sees them: writable, at their own paths, with the protected names in them (see
 * protected-names) read-only. What is there is mounted over itself, so that it can neither be changed nor moved. What is
 * not there cannot be mounted without leaving something behind: it is given to the guard. A protected name that is a
 * link is guarded as such, and what it leads to is protected in its place.
 */
import { readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInsideAny } from '../search-path';
import { sandboxUnavailable } from './faults';
import { protectGit } from './git-view';
import { PROTECTED_NAMES } from './protected-names';
import { lookAtPath, type Option, resolveLinks } from './view';

/** A name that must stay as it is: not there, or the link it was. */
export interface Guarded {
  readonly directory: string;
  readonly name: string;
  readonly link?: string;
}

export interface WorkspaceView {
  readonly mounts: readonly Option[];
  readonly guarded: readonly Guarded[];
}

export interface Protection {
  readonly mounts: Option[];
  readonly guarded: Guarded[];
  /** Protects these names in a directory that is mounted already. */
  protect(directory: string, names: readonly string[]): void;
}

/** The roots must be real paths. Throws `sandbox_unavailable` for a link that cannot be protected. */
export function showWorkspace(roots: readonly string[], options: { git: boolean }): WorkspaceView {
  const sorted = [...roots].sort();
  const mounts: Option[] = sorted.map((root) => ['--bind', root, root]);
  const guarded: Guarded[] = [];
  const protection: Protection = { mounts, guarded, protect };
  for (const root of sorted) {
    protect(root, PROTECTED_NAMES);
    protectGit(root, { ...options, protection });
  }
  return { mounts, guarded };

  function protect(directory: string, names: readonly string[]): void {
    for (const name of names) {
      const path = join(directory, name);
      const found = lookAtPath(path);
      if (found === undefined) guarded.push({ directory, name });
      else if (!found.isSymbolicLink()) mounts.push(['--ro-bind', path, path]);
      else protectLink(directory, name);
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
    // A folder that is a mount can not be moved away; one that only holds a mount could.
    for (const folder of foldersBetween(root, real)) mounts.push(['--bind', folder, folder]);
    mounts.push(['--ro-bind', real, real]);
  }
}

function foldersBetween(root: string, path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) folders.unshift(folder);
  return folders;
}
