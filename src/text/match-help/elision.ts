/**
 * Text sent with a gap in it (`...`, `// existing code`). The parts around the gaps are located one by one, in order:
 * the place runs from the first to the last. A last part as short as a brace is looked for with its indentation, so
 * that it closes the block it was meant to close.
 */
import type { Steps } from '../steps.js';
import { findCodes, findText } from './find-codes.js';
import { lineStart, type Span } from './span.js';
import { type Survey, survey, unitEnd, unitStart, usedCodes } from './survey.js';

const LEADER = String.raw`(?:\/\/+|#+|--+|\/\*+|<!--|;+|%+|\{\/\*)`;
const DOTS = String.raw`(?:\.{3,}|…|\[\s*(?:\.{3,}|…)\s*\]|\(\s*(?:\.{3,}|…)\s*\))`;
const WORDS = String.raw`rest of \w+|remaining \w+|existing \w+|unchanged|same as \w+|as before|omitted|snip|previous code|truncated|elided|other (?:code|methods?|functions?|fields?|columns?|cases?|lines?|items?|entries|imports?)`;
const ELISION = new RegExp(
  String.raw`^\s*(?:${LEADER}?\s*${DOTS}\s*(?:\*\/|-->|\*\/\})?|${LEADER}\s*(?:${DOTS}.*|.*${DOTS}|.*\b(?:${WORDS})\b.*)(?:\*\/|-->|\*\/\})?)\s*$`,
  'i',
);
const MAX_LINE_CHARS = 80;
const MAX_STARTS = 16;
const MAX_PARTS = 12;
const MAX_PLACE_CHARS = 200_000;
const LINES_PER_STEP = 4096;
/** Gaps are left to save writing; what is longer saves none. */
const MAX_SENT_CHARS = 400_000;
/** A part with fewer units than this needs its exact line. */
const SHORT_PART_CODES = 10;

function isElision(line: string): boolean {
  return line.length <= MAX_LINE_CHARS && ELISION.test(line);
}

/** The parts of the sent text around its gaps; none when it has no gap. A comment that the file has is no gap. */
export function* partsOf(sent: string, content: string): Steps<string[]> {
  if (sent.length > MAX_SENT_CHARS) return [];
  const gaps = new Set(sent.split('\n').filter(isElision));
  if (gaps.size > MAX_PARTS) return [];
  for (const gap of gaps) {
    if (/\p{L}/u.test(gap) && (yield* findText(content, gap.trim(), 1)).length > 0) gaps.delete(gap);
  }
  if (gaps.size === 0) return [];
  const parts: string[][] = [[]];
  for (const line of sent.split('\n')) {
    if (gaps.has(line)) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.map((lines) => lines.join('\n')).filter((part) => part.trim() !== '');
}

export function* hasGap(text: string): Steps<boolean> {
  for (let start = 0, end = 0, seen = 1; end < text.length; start = end + 1, seen++) {
    const next = text.indexOf('\n', start);
    end = next < 0 ? text.length : next;
    if (isElision(text.slice(start, end))) return true;
    if (seen % LINES_PER_STEP === 0) yield;
  }
  return false;
}

export function* locateElided(file: Survey, parts: readonly string[]): Steps<Span[]> {
  const [first, ...others] = parts.slice(0, MAX_PARTS).map((part) => survey(part, file.table));
  if (!first || first.size === 0 || parts.length > MAX_PARTS) return [];
  const starts = yield* findCodes(file.codes, file.size, usedCodes(first), { limit: MAX_STARTS });
  const places: Span[] = [];
  for (const index of starts) {
    const start = startOf(file, first, index);
    const end = yield* endOf(file, others, unitEnd(file, index + first.size - 1), index + first.size);
    if (end !== undefined) places.push({ start, end });
  }
  return places.sort((one, other) => one.end - one.start - (other.end - other.start));
}

function startOf(file: Survey, first: Survey, index: number): number {
  const start = unitStart(file, index);
  const from = lineStart(file.text, start);
  const opensWithBlank = unitStart(first, 0) > 0;
  return opensWithBlank && start - from < 400 && file.text.slice(from, start).trim() === '' ? from : start;
}

/** Where the last of the parts ends, each being sought behind the one before. */
function* endOf(file: Survey, parts: readonly Survey[], from: number, fromCode: number): Steps<number | undefined> {
  let end = from;
  let code = fromCode;
  for (const part of parts) {
    const exact = part.size < SHORT_PART_CODES ? exactLine(file.text, part.text, end) : undefined;
    if (exact !== undefined) {
      const codesPassed = survey(file.text.slice(end, exact), file.table).size;
      [end, code] = [exact, code + codesPassed];
      yield;
      continue;
    }
    const to = Math.min(file.size, code + MAX_PLACE_CHARS);
    const [index] = yield* findCodes(file.codes, file.size, usedCodes(part), { limit: 1, from: code, to });
    if (index === undefined) return undefined;
    code = index + part.size;
    end = unitEnd(file, code - 1);
  }
  return end;
}

function exactLine(text: string, part: string, from: number): number | undefined {
  const area = text.slice(from, from + MAX_PLACE_CHARS);
  const wanted = `\n${part.replace(/^\n+/, '').trimEnd()}`;
  for (let at = area.indexOf(wanted); at >= 0; at = area.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (/^\s*(?:\n|$)/.test(area.slice(end, end + 40))) return from + end;
  }
  return undefined;
}
