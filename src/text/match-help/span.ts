/** Places in a text: a span of characters, and the lines it lies on. */
export interface Span {
  start: number;
  /** Just past the last character. */
  end: number;
}

const NEWLINE = 10;

/** The number of the line, from 1, on which the character stands. Counted by character: a call per line is slower. */
function lineNumber(text: string, at: number): number {
  let line = 1;
  for (let index = 0; index < at; index++) if (text.charCodeAt(index) === NEWLINE) line++;
  return line;
}

/** The first and last line of the span; a line break at its end belongs to the line before. */
export function linesOf(text: string, { start, end }: Span): { start_line: number; end_line: number } {
  const first = lineNumber(text, start);
  let last = first;
  for (let index = start; index < end - 1; index++) if (text.charCodeAt(index) === NEWLINE) last++;
  return { start_line: first, end_line: last };
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
