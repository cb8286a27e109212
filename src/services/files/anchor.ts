/**
 * How a directory is held while something is done in it.
 *
 * On Linux a directory is pinned by a descriptor, and its children are reached through `/proc/self/fd/<fd>/<name>`
 * with O_NOFOLLOW: whatever another process renames meanwhile, the name is looked up in the directory that was
 * checked. Elsewhere a directory is held by its path; a swap between check and use is then not excluded.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from './errno';
import { isStandingIn } from './standing';

export interface Anchor {
  /** A path by which the system reaches the directory itself, or `name` in it. */
  at(name?: string): string;
  /** The same for a synchronous call, made at once: a shorter one, where there is one. */
  near(name?: string): string;
  /** The directory `name` in it, never through a symlink (ELOOP or ENOTDIR then). */
  enter(name: string): Anchor;
  /** The same for one more user, who closes it too. */
  share(): Anchor;
  /** What names the directory among all others, whatever it is called. */
  identity(): DirectoryIdentity;
  /** What the system says of the directory now. */
  look(): BigIntStats;
  /** Whether it was removed; nothing can be made in it then. */
  isGone(): boolean;
  close(): void;
  /** Whether what is changed in it is brought to disk before the call answers. */
  readonly isSynced: boolean;
  /** Whether it is held by a descriptor, not by its path. */
  readonly isPinned: boolean;
}

export interface DirectoryIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

export interface AnchorOptions {
  readonly pinned: boolean;
  readonly synced?: boolean;
}

/** Absent from node:fs; the value is the same on all architectures that Node supports on Linux. */
export const O_PATH = 0o10000000;
const PIN_FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export function anchorAt(path: string, { pinned, synced = true }: AnchorOptions): Anchor {
  return pinned ? pinnedAnchor(openSync(path, O_PATH | constants.O_DIRECTORY), synced) : pathAnchor(path, synced);
}

/** Whether descriptors can be used as directories here: Linux with /proc mounted. Asked once at start. */
export function canPin(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const fd = openSync('/', O_PATH | constants.O_DIRECTORY);
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === '/' && lstatSync(`/proc/self/fd/${fd}/.`).isDirectory();
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}

/** Closes what nothing was written through since it was synced: an error of the disk then concerns nobody. */
export function closeUnwritten(fd: number): void {
  try {
    closeSync(fd);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EIO') throw thrown;
  }
}

function pinnedAnchor(fd: number, isSynced: boolean): Anchor {
  let users = 1;
  // Of an open directory it never changes.
  let identity: DirectoryIdentity | undefined;
  const anchor: Anchor = {
    isSynced,
    isPinned: true,
    at: (name = '.') => `/proc/self/fd/${fd}/${name}`,
    near: (name = '.') => (isStandingIn(anchor) ? name : anchor.at(name)),
    enter: (name) => pinnedAnchor(openSync(anchor.near(name), PIN_FLAGS), isSynced),
    share() {
      users++;
      return anchor;
    },
    identity() {
      identity ??= fstatSync(fd, { bigint: true });
      return identity;
    },
    look: () => fstatSync(fd, { bigint: true }),
    isGone: () => fstatSync(fd).nlink === 0,
    close() {
      if (--users === 0) closeUnwritten(fd);
    },
  };
  return anchor;
}

function pathAnchor(path: string, isSynced: boolean): Anchor {
  const at = (name?: string) => (name === undefined ? path : join(path, name));
  return {
    isSynced,
    isPinned: false,
    at,
    near: at,
    enter(name) {
      const child = join(path, name);
      if (lstatSync(child).isDirectory()) return pathAnchor(child, isSynced);
      throw Object.assign(new Error(`not a directory: ${child}`), { code: 'ENOTDIR' });
    },
    share: () => pathAnchor(path, isSynced),
    identity: () => lstatSync(path, { bigint: true }),
    look: () => statSync(path, { bigint: true }),
    isGone: () => false,
    close: () => {},
  };
}
