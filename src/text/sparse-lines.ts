import { offsetAfter } from './newlines';

/**
 * Where the lines of a large file are, roughly: how many of them end before each chunk of it. To find a line exactly,
 * one chunk has to be looked at; nothing else of the file is kept.
 */
export interface SparseLines {
  readonly chunkBytes: number;
  /** Of the whole file. */
  readonly bytes: number;
  /** For each chunk how many lines end before it; at last, how many end at all. */
  readonly endsBefore: Float64Array;
  /** Counts a last line without an end, too. */
  readonly totalLines: number;
}

/** The stretch of the file to read for a window: whole chunks, in which `cutStretch` finds the window. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly returnedLines: number;
  /** How many line ends to pass for the beginning of the window, counted from `from`. */
  readonly skipped: number;
  /** The same for its end, counted from the chunk at `lastChunk`; undefined where it reaches to the end of the file. */
  readonly lastSkipped: number | undefined;
  readonly lastChunk: number;
}

/** Undefined: the window is empty. */
export function stretchOf(
  lines: SparseLines,
  { line, limit }: { line: number; limit?: number | undefined },
): Stretch | undefined {
  const before = line - 1;
  const returnedLines = Math.min(limit ?? Number.POSITIVE_INFINITY, lines.totalLines - before);
  if (returnedLines <= 0) return undefined;
  const after = before + returnedLines;
  const first = chunkOfEnd(lines, before);
  const last = after < lines.totalLines ? chunkOfEnd(lines, after) : lines.endsBefore.length - 2;
  return {
    from: first * lines.chunkBytes,
    to: Math.min((last + 1) * lines.chunkBytes, lines.bytes),
    returnedLines,
    skipped: before - (lines.endsBefore[first] ?? 0),
    lastSkipped: after < lines.totalLines ? after - (lines.endsBefore[last] ?? 0) : undefined,
    lastChunk: last * lines.chunkBytes,
  };
}

/** The bytes of the window, from those of its stretch; undefined where they do not have the lines that they had. */
export function cutStretch(
  bytes: Uint8Array,
  { from, skipped, lastSkipped, lastChunk }: Stretch,
): Uint8Array | undefined {
  const start = offsetAfter(bytes, skipped);
  if (start === undefined || lastSkipped === undefined) return start === undefined ? undefined : bytes.subarray(start);
  const isOneChunk = lastChunk === from;
  const base = isOneChunk ? start : lastChunk - from;
  const length = offsetAfter(bytes.subarray(base), isOneChunk ? lastSkipped - skipped : lastSkipped);
  return length === undefined ? undefined : bytes.subarray(start, base + length);
}

/** The chunk in which the `nth` line end is; the first one for none at all. */
function chunkOfEnd({ endsBefore }: SparseLines, nth: number): number {
  let low = 0;
  let high = endsBefore.length - 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((endsBefore[middle + 1] ?? 0) >= nth) high = middle;
    else low = middle + 1;
  }
  return low;
}
