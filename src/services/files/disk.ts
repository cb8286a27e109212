/** Reads a file through a pinned directory: opened without following links, judged by the open file alone. */
import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { Fault } from '../../contract/fault';
import { errnoOf } from './errno';
import type { Pin } from './walk';

export interface FileBytes {
  readonly bytes: Buffer;
  readonly stat: BigIntStats;
}

const readAsync = promisify(read);

/** Below this, one synchronous read is far quicker than a trip through the thread pool. */
const MAX_SYNC_BYTES = 1_048_576;
/** V8 holds no longer strings; beyond this a file cannot be taken as one text. */
export const MAX_TEXT_BYTES = 512 * 1_048_576 - 1024;

// O_NONBLOCK: opening a pipe or device must not wait for its other end.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export async function readBytes(pin: Pin, options: { maxBytes: number }): Promise<FileBytes> {
  if (pin.name === '') throw new Fault('not_a_file', { path: pin.shown, found: 'a directory' });
  const fd = openFile(pin);
  try {
    const stat = fstatSync(fd, { bigint: true });
    refuseOddFile(pin, stat);
    const size = Number(stat.size);
    const limit = Math.min(options.maxBytes, MAX_TEXT_BYTES);
    if (size > limit) throw new Fault('too_large', { path: pin.shown, bytes: size, limit });
    const bytes = size <= MAX_SYNC_BYTES ? readAllSync(fd, size) : await readAll(fd, size);
    if (bytes.length > limit) throw new Fault('too_large', { path: pin.shown, bytes: bytes.length, limit });
    return { bytes, stat };
  } finally {
    closeSync(fd);
  }
}

/** What is at the pin, links not followed; undefined when nothing is. */
export function lookAt(pin: Pin): BigIntStats | undefined {
  return lstatSync(pin.at(), { bigint: true, throwIfNoEntry: false });
}

export function kindOf(stat: { isDirectory(): boolean; isSymbolicLink(): boolean; isFile(): boolean }): string {
  if (stat.isDirectory()) return 'a directory';
  if (stat.isSymbolicLink()) return 'a symbolic link';
  return stat.isFile() ? 'a file' : 'a device, socket or pipe';
}

function openFile(pin: Pin): number {
  try {
    return openSync(pin.at(), READ_FLAGS);
  } catch (thrown) {
    // ENXIO: a socket, or a device without driver. ELOOP: a link was put there after the walk.
    if (errnoOf(thrown) === 'ENXIO') throw new Fault('not_a_file', { path: pin.shown, found: 'a device or socket' });
    if (errnoOf(thrown) === 'ELOOP')
      throw new Fault('outside_roots', { path: pin.shown, problem: 'it became a symbolic link while it was opened' });
    throw thrown;
  }
}

function refuseOddFile(pin: Pin, stat: BigIntStats): void {
  if (!stat.isFile()) throw new Fault('not_a_file', { path: pin.shown, found: kindOf(stat) });
  if (pin.isDirectory)
    throw new Fault('not_a_file', { path: pin.shown, found: 'written as a directory, with a slash at the end' });
}

/** Reads to the end of the file, also where it is longer than its size says (a growing file, /proc). */
function readAllSync(fd: number, size: number): Buffer {
  let buffer = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  for (;;) {
    const count = readSync(fd, buffer, filled, buffer.length - filled, null);
    if (count === 0) return buffer.subarray(0, filled);
    filled += count;
    if (filled === buffer.length) buffer = enlarged(buffer);
  }
}

async function readAll(fd: number, size: number): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  for (;;) {
    const { bytesRead } = await readAsync(fd, buffer, filled, buffer.length - filled, null);
    if (bytesRead === 0) return buffer.subarray(0, filled);
    filled += bytesRead;
    if (filled === buffer.length) buffer = enlarged(buffer);
  }
}

function enlarged(buffer: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(buffer.length * 2 + 65_536);
  buffer.copy(larger);
  return larger;
}
