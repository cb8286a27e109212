/**
 * The git directory of a root. Where commands may use git it is writable, since a commit writes nearly everywhere in
 * it, except for what makes git run something or look elsewhere; it is mounted over itself, so that it cannot be moved
 * away and replaced. Where they may not, it is read-only. Where there is none, none may appear.
 *
 * A linked worktree has a file in its place, which names a directory outside the root. It is shown only if it names
 * this root in return: else any file could open any directory.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PROTECTED_GIT_NAMES, PROTECTED_WORKTREE_NAMES } from './protected-names';
import { lookAtPath, resolveLinks } from './view';
import type { Protection } from './workspace-view';

export function protectGit(root: string, options: { git: boolean; protection: Protection }): void {
  const { git, protection } = options;
  const path = join(root, '.git');
  const found = lookAtPath(path);
  if (git && found?.isDirectory()) showGitDirectory(path, protection);
  else protection.protect(root, ['.git']);
  const linked = git && found?.isFile() ? linkedWorktree(path) : undefined;
  if (linked) showGitDirectory(linked.common, protection, linked.own);
}

function showGitDirectory(directory: string, protection: Protection, ownWorktree?: string): void {
  const { pin, protect } = protection;
  pin(directory, 'writable');
  protect(directory, PROTECTED_GIT_NAMES);
  const worktrees = join(directory, 'worktrees');
  if (!lookAtPath(worktrees)?.isDirectory()) return;
  pin(worktrees, 'writable');
  for (const name of readdirSync(worktrees)) {
    const worktree = join(worktrees, name);
    if (worktree !== ownWorktree) protect(worktrees, [name]);
    else {
      pin(worktree, 'writable');
      protect(worktree, PROTECTED_WORKTREE_NAMES);
    }
  }
}

/** The directory of the linked worktree and the one it shares with others; undefined for anything else. */
function linkedWorktree(file: string): { own: string; common: string } | undefined {
  const named = /^gitdir: (.+)$/m.exec(read(file) ?? '')?.[1];
  const own = named === undefined ? undefined : resolveLinks(resolve(dirname(file), named));
  if (own === undefined || resolve(own, read(join(own, 'gitdir')) ?? '') !== file) return undefined;
  const common = resolve(own, read(join(own, 'commondir')) ?? '');
  const isUsual = dirname(dirname(own)) === common && lookAtPath(join(common, 'objects'))?.isDirectory();
  return isUsual ? { own, common } : undefined;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
