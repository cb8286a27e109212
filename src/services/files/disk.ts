/** Reads a file through a pinned directory: opened without following links, judged by the open file alone. */
import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { Fault } from '../../contract/fault';
import { isLarge, yieldToLoop } from '../../text/yield-to-loop';
import { errnoOf } from './errno';
import type { Pin } from './pin';
import { takeDesk } from './reading-desk';
import { readGently } from './slices';

export interface FileBytes {
  readonly bytes: Buffer;
  readonly stat: BigIntStats;
  /** For when nobody looks at the bytes any more. */
  letGo(): void;
}

export interface ReadOptions {
  readonly maxBytes: number;
  /** Whether the bytes are let go of: they may lie on the desk then. */
  readonly isBrief?: boolean | undefined;
}

export interface OpenFile {
  readonly fd: number;
  readonly stat: BigIntStats;
  close(): void;
}

/** Up to this, one synchronous read is far quicker than a trip through the thread pool. */
export const MAX_SYNC_BYTES = 262_144;
/** V8 holds no longer strings; beyond this a file cannot be taken as one text. */
export const MAX_TEXT_BYTES = 512 * 1_048_576 - 1024;

// O_NONBLOCK: opening a pipe or device must not wait for its other end.
export const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export async function readBytes(pin: Pin, options: ReadOptions): Promise<FileBytes> {
  const file = openFile(pin);
  try {
    return await readOpenFile(pin, file, options);
  } finally {
    file.close();
  }
}

/** Opens the regular file at the pin, unless the walk has done so. The caller closes it. */
export function openFile(pin: Pin): OpenFile {
  if (pin.name === '') throw new Fault('not_a_file', { path: pin.shown, found: 'a directory' });
  const fd = pin.opened ?? openAt(pin);
  const close = () => {
    if (pin.opened === undefined) closeSync(fd);
  };
  try {
    const stat = fstatSync(fd, { bigint: true });
    refuseOddFile(pin, stat);
    return { fd, stat, close };
  } catch (thrown) {
    close();
    throw thrown;
  }
}

/** All of an open file, read from its beginning. */
export function readOpenFile(
  pin: Pin,
  { fd, stat }: OpenFile,
  { maxBytes, isBrief }: ReadOptions,
): FileBytes | Promise<FileBytes> {
  const size = Number(stat.size);
  const limit = Math.min(maxBytes, MAX_TEXT_BYTES);
  const refuseBeyond = (bytes: number) => {
    if (bytes > limit) throw new Fault('too_large', { path: pin.shown, bytes, limit });
  };
  // Asked again afterwards: it may have grown, and under /proc the size says nothing.
  const check = (bytes: Buffer, letGo: () => void = nothing) => {
    refuseBeyond(bytes.length);
    return { bytes, stat, letGo };
  };
  refuseBeyond(size);
  if (size <= MAX_SYNC_BYTES) return check(readAllSync(fd, size));
  const desk = isBrief ? takeDesk(size + 1) : undefined;
  const reading = desk ? readAll(fd, desk.bytes) : readAnew(fd, size);
  const read = reading.then((bytes) => check(bytes, desk?.clear));
  if (desk) read.catch(desk.clear);
  return read;
}

function nothing(): void {}

/** The bytes between two places; fewer where the file ends before. */
export function readRange(fd: number, { from, to }: { from: number; to: number }): Promise<Buffer> {
  return readGently(fd, Buffer.allocUnsafeSlow(to - from), from);
}

/** What is at the pin, links not followed; undefined when nothing is. */
export function lookAt(pin: Pin): BigIntStats | undefined {
  return lstatSync(pin.near(), { bigint: true, throwIfNoEntry: false });
}

/** Whether nothing was changed between two looks. */
export function isSame(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.dev === other.dev &&
    one.ino === other.ino &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs
  );
}

export function kindOf(stat: { isDirectory(): boolean; isSymbolicLink(): boolean; isFile(): boolean }): string {
  if (stat.isDirectory()) return 'a directory';
  if (stat.isSymbolicLink()) return 'a symbolic link';
  return stat.isFile() ? 'a file' : 'a device, socket or pipe';
}

function openAt(pin: Pin): number {
  try {
    return openSync(pin.near(), READ_FLAGS);
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
  let buffer: Buffer = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  for (;;) {
    const count = readSync(fd, buffer, filled, buffer.length - filled, filled);
    filled += count;
    if (isAtEnd(count, filled, size)) return buffer.subarray(0, filled);
    if (filled === buffer.length) buffer = enlarged(buffer);
  }
}

/** Memory that is new costs its time: of many calls, each has a turn of its own for that. */
async function readAnew(fd: number, size: number): Promise<Buffer> {
  if (isLarge({ length: size })) await yieldToLoop();
  return readAll(fd, Buffer.allocUnsafeSlow(size + 1));
}

/** The room is to be larger than the file: only where it is full, there may be more. */
async function readAll(fd: number, room: Buffer): Promise<Buffer> {
  // What has led here may have taken its time, as a large request does; what follows will.
  await yieldToLoop();
  for (let buffer = room, filled = 0; ; buffer = enlarged(buffer)) {
    filled += (await readGently(fd, buffer.subarray(filled), filled)).length;
    if (filled < buffer.length) return buffer.subarray(0, filled);
  }
}

/** A read that ends exactly where the size says, with room for more, has met the end: no second one has to say so. */
function isAtEnd(count: number, filled: number, size: number): boolean {
  return count === 0 || (filled === size && size > 0);
}

function enlarged(buffer: Buffer): Buffer {
  const larger = Buffer.allocUnsafeSlow(buffer.length * 2 + 65_536);
  buffer.copy(larger);
  return larger;
}
