/**
 * Chooses what to quote of a place. A short place is quoted whole. Of a long one, the lines that the edit changes are
 * enough: where `old_string` and `new_string` begin and end alike, nothing has to be sent.
 */
import type { Steps } from '../steps.js';
import { jsonLength, MAX_QUOTE_CHARS } from './quote-place.js';
import { lineEnd, lineStart, type Span } from './span.js';
import { type Survey, surveySteps, unitEnd, unitStart } from './survey.js';

/** Up to this length a place is quoted whole. */
const WHOLE_CHARS = 1_600;
/** A part must be this much shorter than the place to be worth the sender's trouble. */
const WORTH_IT = 0.6;
/** Of a place too long in every part, this much is quoted from its first line on. */
const HEAD_CHARS = 600;

export interface Part extends Span {
  whole: boolean;
}

/** `toFile` tells where a position of the sent text stands in the file. */
export function partThatMatters(
  content: string,
  place: Span,
  changed: Span | undefined,
  toFile: (at: number) => number,
): Part {
  const length = jsonLength(content, place);
  if (length <= WHOLE_CHARS) return { ...place, whole: true };
  const part = changed && clamp(place, linesAround(content, toFile(changed.start), toFile(changed.end)));
  const partLength = part ? jsonLength(content, part) : Number.POSITIVE_INFINITY;
  if (part && partLength <= Math.min(MAX_QUOTE_CHARS, length * WORTH_IT)) return { ...part, whole: false };
  if (length <= MAX_QUOTE_CHARS) return { ...place, whole: true };
  return { ...headOf(content, part ?? place), whole: false };
}

/** The part of the sent text that the replacement changes; undefined when there is none to compare with. */
export function* changedPart(sent: Survey, replacement: string | undefined): Steps<Span | undefined> {
  if (!replacement || sent.size === 0) return undefined;
  const other = yield* surveySteps(replacement, sent.table);
  if (other.size === 0) return undefined;
  const shorter = Math.min(sent.size, other.size);
  let head = 0;
  while (head < shorter && sent.codes[head] === other.codes[head]) head++;
  yield;
  let tail = 0;
  while (tail < shorter - head && sent.codes[sent.size - 1 - tail] === other.codes[other.size - 1 - tail]) tail++;
  const first = Math.min(head, sent.size - 1);
  const last = Math.max(first, sent.size - 1 - tail);
  return { start: unitStart(sent, first), end: unitEnd(sent, last) };
}

function linesAround(content: string, start: number, end: number): Span {
  return { start: lineStart(content, start), end: lineEnd(content, Math.max(start, end)) };
}

function clamp(place: Span, part: Span): Span {
  const start = Math.min(Math.max(place.start, part.start), place.end);
  return { start, end: Math.max(start, Math.min(place.end, part.end)) };
}

function headOf(content: string, place: Span): Span {
  const end = Math.min(place.end, place.start + HEAD_CHARS);
  const lastBreak = content.slice(place.start, end).lastIndexOf('\n');
  return { start: place.start, end: lastBreak > 0 ? place.start + lastBreak : end };
}
