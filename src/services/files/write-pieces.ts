/** Writes what comes in pieces: bytes, and stretches of another file, which are copied without being held. */
import { write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { readPatiently } from './slices';

/** Bytes, or where they lie in an open file. */
export type Piece = Uint8Array | FilePart;

export interface FilePart {
  readonly fd: number;
  readonly from: number;
  readonly length: number;
}

const writeAsync = promisify(write);
const MAX_SYNC_BYTES = 2 * 1_048_576;
const RUN_BYTES = 1_048_576;

/**
 * What is short at once; else by another thread, since a system that has much to write lets whoever writes wait. False:
 * a file that has some of it became shorter meanwhile.
 */
export async function writePieces(fd: number, pieces: readonly Piece[]): Promise<boolean> {
  if (!pieces.every(isBytes)) return writeRuns(fd, pieces);
  if (lengthOf(pieces) <= MAX_SYNC_BYTES) for (const piece of pieces) writeNow(fd, piece);
  else for (const piece of pieces) await writeAside(fd, piece);
  return true;
}

function writeNow(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
}

async function writeAside(fd: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await writeAsync(fd, bytes, at, bytes.length - at)).bytesWritten;
}

function isBytes(piece: Piece): piece is Uint8Array {
  return piece instanceof Uint8Array;
}

/** In runs of equal length, put together one after the other in the same place. */
async function writeRuns(fd: number, pieces: readonly Piece[]): Promise<boolean> {
  const run = Buffer.allocUnsafeSlow(RUN_BYTES);
  let filled = 0;
  for (const piece of pieces)
    for (let at = 0; at < piece.length; ) {
      const room = run.subarray(filled, filled + piece.length - at);
      if (isBytes(piece)) room.set(piece.subarray(at, at + room.length));
      else if ((await readPatiently(piece.fd, room, piece.from + at)).length < room.length) return false;
      at += room.length;
      filled += room.length;
      if (filled < run.length) continue;
      await writeAside(fd, run);
      filled = 0;
    }
  await writeAside(fd, run.subarray(0, filled));
  return true;
}

export function lengthOf(pieces: readonly { readonly length: number }[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
