/**
 * Turns a span of the file into what the answer carries: line numbers, and the exact text when it can be sent as
 * `old_string`. The text must occur once, so it grows by neighbouring lines (or, within a long line, characters)
 * until no other occurrence agrees with it; where that takes too much, only the lines are named.
 */
import type { Steps } from '../steps.js';
import { findText } from './find-codes.js';
import type { Search } from './search.js';
import { lineEnd, linesOf, type Span } from './span.js';

export interface QuotedPlace {
  start_line: number;
  end_line: number;
  old_string?: string;
}

/** The longest text that an answer quotes, as it counts in JSON. */
export const MAX_QUOTE_CHARS = 3_300;
/** How many like places are told apart; more are hopeless. */
const MAX_TWINS = 64;
const MAX_ADDED_LINES = 8;
/** A line longer than this is never taken whole; the text grows by this many characters at a time instead. */
const LONG_LINE_CHARS = 400;
const CHAR_STEP = 24;

export function* quotePlace({ file: { text }, lines }: Search, span: Span): Steps<QuotedPlace> {
  const unique = jsonLength(text, span) <= MAX_QUOTE_CHARS ? yield* uniqueSpan(text, span) : undefined;
  if (!unique || jsonLength(text, unique) > MAX_QUOTE_CHARS) return linesOf(lines, span);
  return { ...linesOf(lines, unique), old_string: text.slice(unique.start, unique.end) };
}

/** The smallest widening of the span whose text occurs once, or undefined. */
function* uniqueSpan(text: string, span: Span): Steps<Span | undefined> {
  let core = span;
  for (let round = 0; round < 3; round++) {
    const twins = yield* twinsOf(text, core);
    if (twins.length < MAX_TWINS) return widenings(text, core).find((wide) => tells(text, wide, core, twins));
    core = widen(text, core, 1, 1);
  }
  return undefined;
}

/** Where else the text of the span stands, up to the limit. Blanks at its start are common, so they are passed over. */
function* twinsOf(text: string, { start, end }: Span): Steps<number[]> {
  const part = text.slice(start, end);
  const bare = part.trimStart();
  if (bare === '') return new Array(MAX_TWINS);
  const lead = part.length - bare.length;
  const places = yield* findText(text, bare, MAX_TWINS + 1);
  return places.map((at) => at - lead).filter((at) => at !== start);
}

function tells(text: string, wide: Span, core: Span, twins: readonly number[]): boolean {
  const wanted = text.slice(wide.start, wide.end);
  return twins.every((twin) => {
    const at = twin - (core.start - wide.start);
    return at < 0 || !text.startsWith(wanted, at);
  });
}

/** The span itself, then grown to either side, smallest growth first. */
function widenings(text: string, span: Span): Span[] {
  const wider: Span[] = [];
  for (let added = 0; added <= MAX_ADDED_LINES; added++) {
    for (let after = added; after >= 0; after--) wider.push(widen(text, span, added - after, after));
  }
  return wider;
}

function widen(text: string, span: Span, before: number, after: number): Span {
  let { start, end } = span;
  for (let step = 0; step < before; step++) start = stepBack(text, start);
  for (let step = 0; step < after; step++) end = stepOn(text, end);
  return { start, end };
}

/** To the start of the line or, from there, to that of the line before. */
function stepBack(text: string, at: number): number {
  const from = Math.max(0, at - LONG_LINE_CHARS);
  const previous = text.slice(from, Math.max(0, at - 1)).lastIndexOf('\n');
  if (previous >= 0) return from + previous + 1;
  return from === 0 ? 0 : wholeStart(text, at - CHAR_STEP);
}

function stepOn(text: string, at: number): number {
  const window = text.slice(at + 1, at + 1 + LONG_LINE_CHARS);
  const next = window.indexOf('\n');
  if (next >= 0) return lineEnd(text, at + 1 + next - (window[next - 1] === '\r' ? 1 : 0));
  return at + 1 + LONG_LINE_CHARS >= text.length ? text.length : wholeStart(text, at + CHAR_STEP);
}

/** Never between the halves of a surrogate pair. */
function wholeStart(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

export function jsonLength(text: string, { start, end }: Span): number {
  if (end - start > MAX_QUOTE_CHARS) return end - start;
  return JSON.stringify(text.slice(start, end)).length;
}
