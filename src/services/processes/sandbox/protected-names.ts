/**
 * Names that make other programs run something, or hand them a credential, without anybody asking: configuration of
 * editors, agents, package managers and git. A command may read them, but neither change, replace nor make them.
 */

/** Entries of a workspace root. */
export const PROTECTED_NAMES: readonly string[] = [
  '.npmrc',
  '.yarnrc.yml',
  '.envrc',
  '.mcp.json',
  '.vscode',
  '.idea',
  '.codex',
  '.claude',
  '.cursor',
  '.agents',
  '.husky',
  '.devcontainer',
];

/** Entries of a git directory: code that git runs, or a way to another place where it looks for such code. */
export const PROTECTED_GIT_NAMES: readonly string[] = [
  'hooks',
  'info',
  'modules',
  'config',
  'config.worktree',
  'commondir',
];

/** Entries of the directory that git keeps for a linked worktree. */
export const PROTECTED_WORKTREE_NAMES: readonly string[] = ['commondir', 'gitdir', 'config.worktree'];
