/**
 * Hands out a file slice by slice, on a desk that others use too. What the system has in its memory is read at once,
 * since a trip through the thread pool costs more than the reading; while a disk lets us wait, it is asked through the
 * pool, and the loop is free.
 */
import { read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { isTurnLong, yieldToLoop } from '../../text/yield-to-loop';

export interface Slices {
  /** Others have their turn. Of a disk that lets us wait, it gives the slice; else that is there to be taken. */
  turn(at: number, length: number): Promise<Buffer | undefined>;
  /** The bytes from this place on; fewer only where the file ends. They are gone after the next wait. */
  take(at: number, length: number): Buffer;
}

const readAsync = promisify(read);
/** From memory a slice takes a fraction of a millisecond. */
export const SLOW_MS = 8;
const PIECE_BYTES = 131_072;
/** From memory a piece takes a tenth of that, even where the room for it has to be found first. */
const SLOW_PIECE_MS = 4;

export function createSlices(fd: number, desk: Buffer, slowMs: number): Slices {
  let isSlow = false;
  const judge = (started: number) => {
    isSlow = performance.now() - started > slowMs;
  };
  return {
    async turn(at, length) {
      if (!isSlow) {
        await yieldToLoop();
        return undefined;
      }
      const started = performance.now();
      const slice = await readPatiently(fd, Buffer.allocUnsafeSlow(length), at);
      judge(started);
      return slice;
    },
    take(at, length) {
      const started = performance.now();
      const slice = readInto(desk.subarray(0, length), fd, at);
      judge(started);
      return slice;
    },
  };
}

/** From the beginning to the end, others having their turn in between; `use` says when it has seen enough. */
export async function eachSlice(
  slices: Slices,
  { size, sliceBytes }: { readonly size: number; readonly sliceBytes: number },
  use: (slice: Buffer, at: number) => 'enough' | undefined,
): Promise<void> {
  for (let at = 0; at < size; ) {
    const length = Math.min(sliceBytes, size - at);
    const waitedFor = at > 0 ? await slices.turn(at, length) : undefined;
    const slice = waitedFor ?? slices.take(at, length);
    if (slice.length === 0 || use(slice, at) === 'enough') break;
    at += slice.length;
  }
}

/** Fills the buffer from this place on; shorter only where the file ends. */
export function readInto(buffer: Buffer, fd: number, position: number): Buffer {
  let filled = 0;
  while (filled < buffer.length) {
    const count = readSync(fd, buffer, filled, buffer.length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

/** The same by another thread. */
export async function readPatiently(fd: number, buffer: Buffer, position: number): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await readAsync(fd, buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/**
 * The same a piece at a time, in place or by another thread as with slices, and with a turn for others. To have another
 * thread fill much new memory makes everybody wait who needs the processor that it is on, the engine's helpers too.
 */
export async function readGently(
  fd: number,
  buffer: Buffer,
  position: number,
  slowMs = SLOW_PIECE_MS,
): Promise<Buffer> {
  let filled = 0;
  for (let isSlow = false; filled < buffer.length; ) {
    if (isTurnLong()) await yieldToLoop();
    const piece = buffer.subarray(filled, filled + PIECE_BYTES);
    const began = performance.now();
    const at = position + filled;
    const { length } = isSlow ? await readPatiently(fd, piece, at) : readInto(piece, fd, at);
    isSlow = performance.now() - began > slowMs;
    filled += length;
    if (length < piece.length) break;
  }
  return buffer.subarray(0, filled);
}
