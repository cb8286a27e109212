import type { LineIndex } from '../lines.js';

/** Places in a text: a span of characters, and the lines it lies on. */
export interface Span {
  start: number;
  /** Just past the last character. */
  end: number;
}

/** The first and last line of the span, from 1; a line break at its end belongs to the line before. */
export function linesOf(lines: LineIndex, { start, end }: Span): { start_line: number; end_line: number } {
  return { start_line: lines.lineAt(start), end_line: lines.lineAt(Math.max(start, end - 1)) };
}

export function lineStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Just before the line break that ends the line of this character, or the end of the text. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  if (end < 0) return text.length;
  return end > at && text[end - 1] === '\r' ? end - 1 : end;
}

export function overlaps(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end;
}
