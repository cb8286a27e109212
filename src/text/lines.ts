import { runAtOnce, type Steps } from './steps';

/**
 * Lines as the tools count them: each ends with `\n` (a `\r` before it belongs to the line), and what follows the last
 * `\n` is a line too if there is anything. The empty text has no line.
 */
export function countLines(text: string): number {
  const ends = countLineEnds(text);
  return text === '' || text.endsWith('\n') ? ends : ends + 1;
}

/** The exact text of `limit` lines from `line` on (1-based), terminators included; past the end it is empty. */
export function cutWindow(text: string, window: { line: number; limit?: number | undefined }): TextWindow {
  const start = skipLines(text, 0, window.line - 1);
  const end = window.limit === undefined ? text.length : skipLines(text, start, window.limit);
  const content = text.slice(start, end);
  return { content, totalLines: countLines(text), returnedLines: countLines(content) };
}

export interface TextWindow {
  readonly content: string;
  readonly totalLines: number;
  readonly returnedLines: number;
}

/** Knows the line of every offset: how many lines end before each block of the text; within a block it counts. */
export class LineIndex {
  readonly #text: string;
  #endsBefore: Int32Array | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Looks through the text. Where nobody has done so before, the first question does. */
  *prepare(): Steps<void> {
    if (this.#endsBefore !== undefined) return;
    const counts = new Int32Array((this.#text.length >> BLOCK_BITS) + 2);
    let seen = 0;
    for (let at = this.#text.indexOf('\n'); at !== -1; at = this.#text.indexOf('\n', at + 1)) {
      const block = (at >> BLOCK_BITS) + 1;
      counts[block] = (counts[block] ?? 0) + 1;
      if (++seen % ENDS_PER_STEP === 0) yield;
    }
    for (let block = 1; block < counts.length; block++) counts[block] = (counts[block] ?? 0) + (counts[block - 1] ?? 0);
    this.#endsBefore = counts;
  }

  /** The line, 1-based, in which the character at this offset stands. */
  lineAt(offset: number): number {
    return this.endsBefore(offset) + 1;
  }

  /** How many lines end before this offset. */
  endsBefore(offset: number): number {
    runAtOnce(this.prepare());
    const place = Math.min(offset, this.#text.length);
    const block = place >> BLOCK_BITS;
    return (this.#endsBefore?.[block] ?? 0) + countLineEnds(this.#text.slice(block << BLOCK_BITS, place));
  }
}

const BLOCK_BITS = 11;
const ENDS_PER_STEP = 16_384;

/** How often `\n` occurs. */
export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** The offset after `count` lines from `start` on, or the end of the text. */
export function skipLines(text: string, start: number, count: number): number {
  let at = start;
  for (let skipped = 0; skipped < count && at < text.length; skipped++) {
    const end = text.indexOf('\n', at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}
