import { accessSync, constants, lstatSync, mkdirSync, type Stats, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** `L<key>` is a lock, `<owner>.s` a socket, `<owner>.<n>` a token; an owner is a random name, used once. */
export const LOCK_PREFIX = 'L';
export const SOCKET_SUFFIX = '.s';

export function ownerOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

/** No safe place for the locks; the message says what to do about it. */
export class LockDirectoryUnusable extends Error {
  constructor(directory: string, problem: string, remedy: string) {
    super(`Cannot use the lock directory ${directory}: ${problem}. ${remedy}.`);
    this.name = 'LockDirectoryUnusable';
  }
}

// The address of a unix socket holds 103 bytes on macOS, 107 on Linux; a longer path is cut without an error.
const MAX_SOCKET_PATH_BYTES = 103;
const LONGEST_SOCKET_NAME = '/0123456789abcdef.s';
// On NFS the sockets of another machine refuse, so a live owner there would look dead.
const NFS_MAGIC = 0x6969;
const SHARED_MEMORY = '/dev/shm';
export const ANOTHER_PLACE = 'Set XDG_RUNTIME_DIR to a private directory of your own on a local disk';

/** Creates the directory where needed. It must be ours alone: who can write there can break every lock. */
export function openLockDirectory(chosen?: string): string {
  const directory = chosen ?? defaultDirectory();
  if (Buffer.byteLength(directory + LONGEST_SOCKET_NAME) > MAX_SOCKET_PATH_BYTES) {
    throw new LockDirectoryUnusable(directory, 'its path is too long for a socket', ANOTHER_PLACE);
  }
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      throw new LockDirectoryUnusable(directory, `it cannot be created (${codeOf(error)})`, ANOTHER_PLACE);
    }
  }
  demandPrivate(directory, lstatSync(directory));
  return directory;
}

function demandPrivate(directory: string, found: Stats): void {
  const refuse = (problem: string, remedy: string) => new LockDirectoryUnusable(directory, problem, remedy);
  if (found.isSymbolicLink()) throw refuse('it is a symbolic link', 'Remove the link');
  if (!found.isDirectory()) throw refuse('it is not a directory', 'Remove what stands there');
  if (found.uid !== process.getuid?.()) throw refuse(`it belongs to user ${found.uid}`, ANOTHER_PLACE);
  if (found.mode & 0o077) {
    const mode = (found.mode & 0o777).toString(8);
    throw refuse(`other users can reach it (mode ${mode})`, `Run: chmod 700 '${directory}'`);
  }
  if (statfsSync(directory).type === NFS_MAGIC) throw refuse('it is on a network file system', ANOTHER_PLACE);
}

/** A place of our own, outside every workspace; in memory where that is to be had: a write changes four names here. */
export function defaultDirectory(): string {
  const runtime = process.env.XDG_RUNTIME_DIR;
  if (runtime && isAbsolute(runtime) && isOurs(runtime)) return join(runtime, 'tenon');
  const parent = !process.env.TMPDIR && isWritable(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir();
  return join(parent, `tenon-${process.getuid?.()}`);
}

/** After `sudo` the variable may still name the directory of the person who called it. */
function isOurs(directory: string): boolean {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** For clean-up that may find its work done, or undone, by somebody else. */
export function quietly(action: () => void): void {
  try {
    action();
  } catch {
    // Nothing depends on it.
  }
}
