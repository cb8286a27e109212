/**
 * Reads a large file once, slice by slice, and keeps of it where its lines are, roughly, and whether it is text. The
 * memory it takes is that of one slice, however large the file is; between slices the loop has its turn.
 */
import { type NotTextReason, startsAsUtf16 } from '../../text/encoding';
import type { NewlineCounter } from '../../text/newlines';
import { PiecewiseUtf8 } from '../../text/piecewise-utf8';
import type { SparseLines } from '../../text/sparse-lines';
import { createSlices, eachSlice, SLOW_MS } from './slices';

export type LineIndex =
  | { readonly kind: 'lines'; readonly lines: SparseLines }
  | { readonly kind: 'not_text'; readonly reason: NotTextReason }
  /** Lines cannot be told from the bytes alone. */
  | { readonly kind: 'utf16' };

export interface IndexOptions {
  /** Of a file so large that its index would outgrow `maxIndexBytes`, chunks are larger. */
  readonly chunkBytes: number;
  /** At most as many as the counter's desk holds. */
  readonly chunksPerSlice: number;
  readonly maxIndexBytes: number;
  /** A slice that took longer came from a disk that lets us wait. */
  readonly slowMs?: number;
}

const NEWLINE = 0x0a;

export async function indexLines(
  fd: number,
  size: number,
  counter: NewlineCounter,
  options: IndexOptions,
): Promise<LineIndex> {
  const sliceBytes = options.chunkBytes * options.chunksPerSlice;
  const slices = createSlices(fd, counter.desk, options.slowMs ?? SLOW_MS);
  const marks = createMarks(size, counter, options);
  const utf8 = new PiecewiseUtf8();
  let last: number | undefined;
  let odd: LineIndex | undefined;
  await eachSlice(slices, { size, sliceBytes }, (slice, at) => {
    if (at === 0 && startsAsUtf16(slice)) odd = { kind: 'utf16' };
    else if (slice.includes(0)) odd = { kind: 'not_text', reason: 'nul_byte' };
    if (odd) return 'enough';
    // After a broken character only a NUL is still of interest: it is the reason that is told first.
    if (!utf8.isBroken()) utf8.add(slice);
    if (!utf8.isBroken()) marks.add(slice, at);
    last = slice.at(-1);
    return undefined;
  });
  if (odd) return odd;
  if (!utf8.isValid()) return { kind: 'not_text', reason: 'invalid_utf8' };
  return { kind: 'lines', lines: marks.lines({ hasOpenEnd: last !== undefined && last !== NEWLINE }) };
}

function createMarks(size: number, counter: NewlineCounter, options: IndexOptions) {
  const chunkBytes = chunkBytesFor(size, options);
  const endsBefore = new Float64Array(Math.ceil(size / chunkBytes) + 1);
  let ends = 0;
  return {
    add(slice: Buffer, position: number): void {
      for (let from = 0; from < slice.length; from += options.chunkBytes) {
        const part = slice.subarray(from, from + options.chunkBytes);
        ends += counter.count(part);
        endsBefore[Math.ceil((position + from + part.length) / chunkBytes)] = ends;
      }
    },
    lines: ({ hasOpenEnd }: { hasOpenEnd: boolean }): SparseLines => ({
      chunkBytes,
      bytes: size,
      endsBefore,
      totalLines: hasOpenEnd ? ends + 1 : ends,
    }),
  };
}

function chunkBytesFor(size: number, { chunkBytes, maxIndexBytes }: IndexOptions): number {
  const bytesFor = (chunk: number) => (size / chunk) * Float64Array.BYTES_PER_ELEMENT;
  let fitting = chunkBytes;
  while (bytesFor(fitting) > maxIndexBytes) fitting *= 2;
  return fitting;
}
