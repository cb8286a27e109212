/**
 * Appends to the memory files: one write of whole lines at the end of the file, under the file's lock, synced. A
 * write that comes up short or cannot be synced is taken back, and a last line without newline gets one first, so that an entry is
 * always a line of its own.
 */
import { constants, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { Fault } from '../../contract/fault';
import type { JailedPath, Memory } from '../../contract/ports';
import { closeUnwritten } from './anchor';
import type { ChangeGuard } from './change-guard';
import { kindOf, lookAt } from './disk';
import { withFaults } from './errno';
import type { FileLocks } from './file-lock';
import type { Jail } from './jail';
import { lockPins } from './lock-pins';
import { type Pin, usePin } from './pin';
import { syncDirectory } from './sync';

const APPEND_FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export function createMemory({
  jail,
  locks,
  admit,
  guard,
}: {
  jail: Jail;
  locks: FileLocks;
  admit: (file: string) => JailedPath;
  guard?: ChangeGuard;
}): Memory {
  return {
    async append(file, line) {
      const path = admit(file);
      guard?.beforeWalk(path);
      return usePin(
        () => jail.pin(path, { follow: false, missing: 'create' }),
        (pin) =>
          withFaults(pin.shown, Buffer.byteLength(line) + 1, () =>
            lockPins(locks, [pin], async () => append(pin, line)),
          ),
      );
    },
  };
}

function append(pin: Pin, line: string): { bytes: number } {
  const there = lookAt(pin);
  // The memory file itself is meant: a link in its place could lead to any file of the root.
  if (there && !there.isFile()) throw new Fault('not_a_file', { path: pin.shown, found: kindOf(there) });
  const fd = openSync(pin.at(), APPEND_FLAGS, 0o666);
  try {
    const stat = fstatSync(fd);
    const bytes = Buffer.from(`${endsInsideLine(fd, stat.size) ? '\n' : ''}${line}\n`);
    writeWhole(fd, bytes, stat.size, pin);
    syncOrTakeBack(fd, stat.size);
    if (!there) syncDirectory(pin.directory);
    return { bytes: bytes.length };
  } finally {
    closeUnwritten(fd);
  }
}

function endsInsideLine(fd: number, size: number): boolean {
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

/** An entry that the disk did not take is not left for the next start to find. */
function syncOrTakeBack(fd: number, sizeBefore: number): void {
  try {
    fdatasyncSync(fd);
  } catch (thrown) {
    ftruncateSync(fd, sizeBefore);
    throw thrown;
  }
}

function writeWhole(fd: number, bytes: Buffer, sizeBefore: number, pin: Pin): void {
  let written = 0;
  try {
    written = writeSync(fd, bytes);
  } finally {
    if (written < bytes.length) ftruncateSync(fd, sizeBefore);
  }
  if (written < bytes.length) throw new Fault('disk_full', { path: pin.shown, bytes: bytes.length });
}
