/** Line ends in bytes of UTF-8, where the byte of `\n` is never part of another character. */

/**
 * How many line ends there are. Long lines are counted by leaping from one end to the next, short ones four bytes at a
 * time: neither is quick on both.
 */
export function countNewlines(bytes: Uint8Array): number {
  if (bytes.length < SAMPLE_BYTES) return countByLeaps(bytes);
  const isDense = countByLeaps(bytes.subarray(0, SAMPLE_BYTES)) * SHORT_LINE_BYTES > SAMPLE_BYTES;
  return isDense ? countByWords(bytes) : countByLeaps(bytes);
}

/** The lines, counted as in `lines`: what follows the last line end is one too. */
export function countByteLines(bytes: Uint8Array): number {
  const ends = countNewlines(bytes);
  return bytes.length === 0 || bytes.at(-1) === NEWLINE ? ends : ends + 1;
}

/** The offset just after the `nth` line end (from 1), or undefined if there are fewer. After none comes offset 0. */
export function offsetAfter(bytes: Uint8Array, nth: number): number | undefined {
  let offset = 0;
  for (let passed = 0; passed < nth; passed++) {
    const end = bytes.indexOf(NEWLINE, offset);
    if (end === -1) return undefined;
    offset = end + 1;
  }
  return offset;
}

const NEWLINE = 0x0a;
const SAMPLE_BYTES = 4096;
const SHORT_LINE_BYTES = 40;
/** A counter of one byte overflows after so many. */
const WORDS_PER_SUM = 255;

function countByLeaps(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

function countByWords(bytes: Uint8Array): number {
  const lead = -bytes.byteOffset & 3;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + lead, (bytes.length - lead) >> 2);
  let count = countByLeaps(bytes.subarray(0, lead)) + countByLeaps(bytes.subarray(lead + words.length * 4));
  for (let from = 0; from < words.length; from += WORDS_PER_SUM) count += countInRun(words, from);
  return count;
}

/** Each byte of `sums` counts one byte of the words. A byte is `\n` exactly if it is zero after the exclusive or. */
function countInRun(words: Int32Array, from: number): number {
  const to = Math.min(words.length, from + WORDS_PER_SUM);
  let sums = 0;
  for (let at = from; at < to; at++) {
    const word = (words[at] ?? 0) ^ 0x0a0a0a0a;
    const zeros = ~(((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word | 0x7f7f7f7f);
    sums = (sums + (zeros >>> 7)) | 0;
  }
  return (sums & 0xff) + ((sums >>> 8) & 0xff) + ((sums >>> 16) & 0xff) + (sums >>> 24);
}
