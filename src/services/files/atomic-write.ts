/**
 * Replaces a file in one step: a temporary file beside it is written in full, gets the owner and mode of the old
 * file, is synced, and is renamed over it; then the directory is synced. A reader sees the old bytes or the new, and
 * after any error the old file stands and the temporary one is gone.
 */
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  type BigIntStats,
  close,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  write,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import type { Steps } from '../../text/steps';
import { type Anchor, O_PATH } from './anchor';
import { isSame, lookAt } from './disk';
import { eachEntry } from './each-entry';
import { errnoOf } from './errno';
import type { PendingWrites } from './pending-writes';
import type { Pin } from './pin';
import { syncDirectoryAside, syncFile } from './sync';

const writeAsync = promisify(write);

/** The last twelve digits of a UUID are random, and cheap: Node draws them in advance. */
const ID_CHARACTERS = 12;
const TEMPORARY = /^\.tenon-[0-9a-f]{12}\.tmp$/;
const temporaryName = (id: string) => `.tenon-${id}.tmp`;
const STALE_AFTER_MS = 3_600_000;
const MAX_SYNC_BYTES = 1_048_576;
const CREATE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const MODE_BITS = 0o7777n;
const OWNER_WRITES = 0o200n;
const MAX_HELD_BYTES = 16n * 1_048_576n;

export function isTemporaryName(name: string): boolean {
  return TEMPORARY.test(name);
}

export interface ReplaceOptions {
  readonly previous: BigIntStats | undefined;
  readonly onlyIfSame: boolean;
  readonly pending: PendingWrites;
}

/**
 * Writes the bytes, which come in pieces, at the pin. `previous` is what stood there, if anything; with `onlyIfSame`
 * the write is given up, and false returned, where another program has changed the file since.
 */
export async function replaceFile(
  pin: Pin,
  pieces: readonly Uint8Array[],
  { previous, onlyIfSame, pending }: ReplaceOptions,
): Promise<boolean> {
  // Renaming would replace a write-protected file without asking; the protection is meant.
  if (previous && !isOwnAndWritable(previous)) accessSync(pin.near(), constants.W_OK);
  const id = randomUUID().slice(-ID_CHARACTERS);
  const forget = pending.begin(pin.real, id);
  const letGo = previous ? holdOld(pin, previous) : nothing;
  try {
    return await replaceBy(temporaryName(id), pin, pieces, { previous, onlyIfSame });
  } finally {
    // When the answer is out: nobody waits for either.
    setImmediate(() => {
      letGo();
      forget();
    });
  }
}

/**
 * Holds the file that is about to be replaced, until the answer is out: the system frees it when it is let go, and not
 * while it renames. On ext4 that is 0.14 ms of every write, which another thread spends while the next one begins. What
 * is large is freed at once: its space may be needed.
 */
function holdOld({ directory, near }: Pin, { size }: BigIntStats): () => void {
  if (!directory.isPinned || size > MAX_HELD_BYTES) return nothing;
  try {
    const fd = openSync(near(), O_PATH | constants.O_NOFOLLOW);
    return () => close(fd, nothing);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return nothing;
  }
}

function nothing(): void {}

async function replaceBy(
  temporary: string,
  pin: Pin,
  pieces: readonly Uint8Array[],
  { previous, onlyIfSame }: Omit<ReplaceOptions, 'pending'>,
): Promise<boolean> {
  const { directory } = pin;
  const fd = openSync(directory.near(temporary), CREATE_FLAGS, previous ? 0o600 : 0o666);
  let isOpen = true;
  try {
    await writeAll(fd, pieces);
    if (previous) takeOver(fd, previous);
    if (directory.isSynced) await syncFile(fd, lengthOf(pieces));
    isOpen = false;
    closeSync(fd);
    if (onlyIfSame && !isSame(lookAt(pin), previous)) {
      unlinkSync(directory.near(temporary));
      return false;
    }
    renameSync(directory.near(temporary), pin.near());
  } catch (thrown) {
    if (isOpen) closeSync(fd);
    removeQuietly(directory.near(temporary));
    throw thrown;
  }
  await syncDirectoryAside(directory);
  return true;
}

/** Removes what a killed process left beside the file at the pin. Only for the holder of the file's lock. */
export function removeTemporary(pin: Pin, id: string): void {
  if (TEMPORARY.test(temporaryName(id))) removeQuietly(pin.directory.at(temporaryName(id)));
}

/** Removes what was left in this directory long ago, and is noted nowhere any more. */
export function sweepTemporaries(directory: Anchor, now: number): Steps<void> {
  return eachEntry(directory, ({ name }) => {
    if (!isTemporaryName(name)) return;
    const path = directory.at(name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat && now - stat.mtimeMs > STALE_AFTER_MS) removeQuietly(path);
  });
}

export function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** What is short at once; else by another thread, since a system that has much to write lets whoever writes wait. */
async function writeAll(fd: number, pieces: readonly Uint8Array[]): Promise<void> {
  const isShort = lengthOf(pieces) <= MAX_SYNC_BYTES;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const left = piece.length - at;
      at += isShort ? writeSync(fd, piece, at, left) : (await writeAsync(fd, piece, at, left)).bytesWritten;
    }
  }
}

/** Of one's own file, the mode says it all. */
function isOwnAndWritable({ uid, mode }: BigIntStats): boolean {
  return (mode & OWNER_WRITES) !== 0n && Number(uid) === process.geteuid?.();
}

/** Owner first: changing it clears the set-user-id bits, which the mode then brings back. */
function takeOver(fd: number, previous: BigIntStats): void {
  const own = fstatSync(fd, { bigint: true });
  if (own.uid !== previous.uid || own.gid !== previous.gid) fchownSync(fd, Number(previous.uid), Number(previous.gid));
  fchmodSync(fd, Number(previous.mode & MODE_BITS));
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
  }
}
