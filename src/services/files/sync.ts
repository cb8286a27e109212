/** Brings files, and the entries of directories, to disk. */
import { constants, fsync, fsyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { isTurnLong } from '../../text/yield-to-loop';
import { nap } from '../nap';
import { type Anchor, closeUnwritten } from './anchor';
import { errnoOf, NotSynced } from './errno';

/** Errors that mean "this system or directory cannot be synced", not "the data is lost". */
const CANNOT_SYNC = new Set(['EACCES', 'EPERM', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EBADF']);
const DIRECTORY_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY;

const SMALL_BYTES = 65_536;
/** What a disk that keeps nobody waiting needs for a small file. */
const QUICK_MS = 2;
/** So many quick ones, one after the other, make us trust the disk. */
const TRUSTED_AFTER = 4;
const TO_BEGIN_MS = 0.1;

const fsyncAsync = promisify(fsync);
let quickSyncs = 0;
/** How many are under way. */
let largeSyncs = 0;

/**
 * Brings a file to disk. By another thread, so that a slow disk holds up nobody; a small one in place as long as the
 * disk is quick and nobody waits, which saves the way there and back.
 */
export async function syncFile(fd: number, bytes: number): Promise<void> {
  if (bytes > SMALL_BYTES) return syncLarge(fd);
  const began = performance.now();
  const trusted = quickSyncs;
  quickSyncs = 0;
  if (trusted < TRUSTED_AFTER || isTurnLong()) await fsyncAsync(fd);
  else fsyncSync(fd);
  if (performance.now() - began < QUICK_MS) quickSyncs = trusted + 1;
}

/**
 * On a virtual machine a processor that sleeps is taken for one that was taken away, so that the thread that syncs is
 * often woken on ours, and begins when we have nothing more to do. It gets the time to tell the disk its work; what we do
 * next, such as the diff, is done while the disk is at it. That is a few hundredths of an edit in 1 MB. While others
 * sync, the disk has its work already: to wait for each would make many writes at once take a sixth longer.
 */
async function syncLarge(fd: number): Promise<void> {
  const synced = fsyncAsync(fd);
  if (largeSyncs++ === 0) nap(TO_BEGIN_MS);
  try {
    await synced;
  } finally {
    largeSyncs--;
  }
}

export function syncDirectory(directory: Anchor): void {
  if (!isSyncable(directory)) return;
  try {
    const fd = openSync(directory.near(), DIRECTORY_FLAGS);
    try {
      fsyncSync(fd);
    } finally {
      closeUnwritten(fd);
    }
  } catch (thrown) {
    judge(thrown);
  }
}

/** The same without holding up the loop on a slow disk. `isMuch`: many entries may have changed in and below it. */
export async function syncDirectoryAside(directory: Anchor, { isMuch = false } = {}): Promise<void> {
  if (!isSyncable(directory)) return;
  try {
    const fd = openSync(directory.near(), DIRECTORY_FLAGS);
    try {
      if (isMuch) await fsyncAsync(fd);
      else await syncFile(fd, 0);
    } finally {
      closeUnwritten(fd);
    }
  } catch (thrown) {
    judge(thrown);
  }
}

function isSyncable({ isSynced }: Anchor): boolean {
  return isSynced && process.platform !== 'win32';
}

function judge(thrown: unknown): void {
  const code = errnoOf(thrown);
  if (code === undefined) throw thrown;
  if (!CANNOT_SYNC.has(code)) throw new NotSynced(code, { cause: thrown });
}
