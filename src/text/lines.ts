import { firstIndex } from './first-index';

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

/** Knows the line of every offset: the ends of all lines, searched by halving. */
export class LineIndex {
  readonly #ends: readonly number[];

  constructor(text: string) {
    const ends: number[] = [];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends.push(at);
    this.#ends = ends;
  }

  /** The line, 1-based, in which the character at this offset stands. */
  lineAt(offset: number): number {
    return this.endsBefore(offset) + 1;
  }

  /** How many lines end before this offset. */
  endsBefore(offset: number): number {
    return firstIndex(this.#ends, (end) => end >= offset);
  }
}

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
