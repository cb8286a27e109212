import { runAtOnce, type Steps } from './steps';

/**
 * Lines as the tools count them: each ends with `\n` (a `\r` before it belongs to the line), and what follows the last
 * `\n` is a line too if there is anything. The empty text has no line.
 */
export function countLines(text: string): number {
  return runAtOnce(countSteps(text));
}

function* countSteps(text: string): Steps<number> {
  const ends = yield* lineEndSteps(text);
  return text === '' || text.endsWith('\n') ? ends : ends + 1;
}

/** The same of a text that comes in pieces. */
export function* countPieces(pieces: Iterable<string>): Steps<number> {
  let ends = 0;
  let last = '';
  for (const piece of pieces) {
    ends += countLineEnds(piece);
    last = piece;
    yield;
  }
  return last === '' || last.endsWith('\n') ? ends : ends + 1;
}

/** The exact text of `limit` lines from `line` on (1-based), terminators included; past the end it is empty. */
export function cutWindow(text: string, window: Window): TextWindow {
  return runAtOnce(windowSteps(text, window));
}

export function* windowSteps(text: string, window: Window): Steps<TextWindow> {
  const start = yield* skipSteps(text, 0, window.line - 1);
  const end = window.limit === undefined ? text.length : yield* skipSteps(text, start, window.limit);
  const content = text.slice(start, end);
  return { content, totalLines: yield* countSteps(text), returnedLines: yield* countSteps(content) };
}

/** Where the window is in a text that comes in pieces. */
export function* placeSteps(pieces: Iterable<string>, { line, limit }: Window): Steps<WindowPlace> {
  const before = line - 1;
  const after = limit === undefined ? Number.POSITIVE_INFINITY : before + limit;
  let [ends, offset, last]: [number, number, string] = [0, 0, ''];
  let start: number | undefined;
  let end: number | undefined;
  for (const piece of pieces) {
    const endsAfter = ends + countLineEnds(piece);
    if (endsAfter >= before) start ??= offset + skipLines(piece, 0, before - ends);
    if (endsAfter >= after) end ??= offset + skipLines(piece, 0, after - ends);
    [ends, offset, last] = [endsAfter, offset + piece.length, piece];
    yield;
  }
  const totalLines = last === '' || last.endsWith('\n') ? ends : ends + 1;
  const returnedLines = Math.max(0, Math.min(after, totalLines) - before);
  return { start: start ?? offset, end: end ?? offset, totalLines, returnedLines };
}

export interface WindowPlace extends Omit<TextWindow, 'content'> {
  readonly start: number;
  readonly end: number;
}

interface Window {
  readonly line: number;
  readonly limit?: number | undefined;
}

export interface TextWindow {
  readonly content: string;
  readonly totalLines: number;
  readonly returnedLines: number;
}

/**
 * Knows the line of every offset: how many lines end before each block of the text; within a block it counts. The text
 * is looked through only as far as somebody asks.
 */
export class LineIndex {
  readonly #text: string;
  readonly #linesBefore: number;
  readonly #endsBefore: Int32Array;
  /** The last block whose count is known. */
  #known = 0;
  /** The first line end after that block, kept so that a long line is searched once and not at each step. */
  #nextEnd: number;

  /** `linesBefore`: where the text is a part of another. */
  constructor(text: string, linesBefore = 0) {
    this.#text = text;
    this.#linesBefore = linesBefore;
    this.#endsBefore = new Int32Array((text.length >> BLOCK_BITS) + 1);
    this.#nextEnd = text.indexOf('\n');
  }

  /** Looks through the text up to an offset, or all of it. Where nobody has done so before, the first question does. */
  *prepare(offset = this.#text.length): Steps<void> {
    const last = Math.min(offset, this.#text.length) >> BLOCK_BITS;
    while (this.#known < last) {
      this.#countBlocks(Math.min(last, this.#known + BLOCKS_PER_STEP));
      yield;
    }
  }

  /** The line, 1-based, in which the character at this offset stands. */
  lineAt(offset: number): number {
    return this.#linesBefore + this.endsBefore(offset) + 1;
  }

  /** How many lines end before this offset. */
  endsBefore(offset: number): number {
    const place = Math.min(offset, this.#text.length);
    runAtOnce(this.prepare(place));
    const block = place >> BLOCK_BITS;
    return (this.#endsBefore[block] ?? 0) + countLineEnds(this.#text.slice(block << BLOCK_BITS, place));
  }

  #countBlocks(last: number): void {
    const counts = this.#endsBefore;
    let seen = counts[this.#known] ?? 0;
    let at = this.#nextEnd;
    for (let block = this.#known + 1; block <= last; block++) {
      const end = block << BLOCK_BITS;
      for (; at !== -1 && at < end; at = this.#text.indexOf('\n', at + 1)) seen++;
      counts[block] = seen;
    }
    this.#known = last;
    this.#nextEnd = at;
  }
}

const BLOCK_BITS = 11;
const BLOCKS_PER_STEP = 256;
const LINES_PER_STEP = 16_384;
/** What is counted in one go. */
export const SHORT = 65_536;

/** How often `\n` occurs. */
export function* lineEndSteps(text: string): Steps<number> {
  if (text.length <= SHORT) return countLineEnds(text);
  const lines = new LineIndex(text);
  yield* lines.prepare();
  return lines.endsBefore(text.length);
}

/** The same at once, for what is short. */
export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function* skipSteps(text: string, start: number, count: number): Steps<number> {
  let at = start;
  for (let left = count; left > 0 && at < text.length; left -= LINES_PER_STEP) {
    at = skipLines(text, at, Math.min(left, LINES_PER_STEP));
    yield;
  }
  return at;
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
