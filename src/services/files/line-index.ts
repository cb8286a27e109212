/**
 * Reads a large file once, slice by slice, and keeps of it where its lines are, roughly, and whether it is text. The
 * memory it takes is that of one slice, however large the file is; between slices the loop has its turn.
 */
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { type NotTextReason, startsAsUtf16 } from '../../text/encoding';
import { countNewlines } from '../../text/newlines';
import { PiecewiseUtf8 } from '../../text/piecewise-utf8';
import type { SparseLines } from '../../text/sparse-lines';

export type LineIndex =
  | { readonly kind: 'lines'; readonly lines: SparseLines }
  | { readonly kind: 'not_text'; readonly reason: NotTextReason }
  /** Lines cannot be told from the bytes alone. */
  | { readonly kind: 'utf16' };

export interface IndexOptions {
  readonly chunkBytes: number;
  readonly chunksPerSlice: number;
}

const NEWLINE = 0x0a;
const readAsync = promisify(read);

export async function indexLines(
  fd: number,
  size: number,
  { chunkBytes, chunksPerSlice }: IndexOptions,
): Promise<LineIndex> {
  const endsBefore = new Float64Array(Math.ceil(size / chunkBytes) + 1);
  const buffer = Buffer.allocUnsafeSlow(Math.min(size, chunkBytes * chunksPerSlice));
  const utf8 = new PiecewiseUtf8();
  let last: number | undefined;
  for (let at = 0; at < size; ) {
    const slice = await readSlice(fd, buffer, at);
    if (slice.length === 0) break;
    if (at === 0 && startsAsUtf16(slice)) return { kind: 'utf16' };
    if (slice.includes(0)) return { kind: 'not_text', reason: 'nul_byte' };
    // After a broken character only a NUL is still of interest: it is the reason that is told first.
    if (!utf8.isBroken()) utf8.add(slice);
    if (!utf8.isBroken()) addCounts(endsBefore, slice, { chunk: at / chunkBytes, chunkBytes });
    last = slice.at(-1);
    at += slice.length;
  }
  if (!utf8.isValid()) return { kind: 'not_text', reason: 'invalid_utf8' };
  const ends = endsBefore.at(-1) ?? 0;
  const totalLines = last === undefined || last === NEWLINE ? ends : ends + 1;
  return { kind: 'lines', lines: { chunkBytes, bytes: size, endsBefore, totalLines } };
}

/** Fills the buffer from this place on; shorter only where the file ends. */
async function readSlice(fd: number, buffer: Buffer, position: number): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await readAsync(fd, buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function addCounts(
  endsBefore: Float64Array,
  slice: Buffer,
  { chunk, chunkBytes }: { chunk: number; chunkBytes: number },
): void {
  for (let at = 0, next = chunk + 1; at < slice.length; at += chunkBytes, next++)
    endsBefore[next] = (endsBefore[next - 1] ?? 0) + countNewlines(slice.subarray(at, at + chunkBytes));
}
