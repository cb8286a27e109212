/**
 * Finds the places whose folded codes are those of the sent text, as spans of the file that begin and end as the sent
 * text does: when it opens with blanks or closes with line breaks, the span takes those of the file along.
 */
import type { Steps } from '../steps.js';
import { findCodes } from './find-codes.js';
import type { Span } from './span.js';
import { type Survey, unitEnd, unitStart, usedCodes } from './survey.js';

export function* locateFolded(file: Survey, sent: Survey, { limit }: { limit: number }): Steps<Span[]> {
  if (sent.size === 0) return [];
  const found = yield* findCodes(file.codes, file.size, usedCodes(sent), { limit });
  return found.map((index) => spanOf(file, sent, index));
}

function spanOf(file: Survey, sent: Survey, index: number): Span {
  const opening = sent.text.slice(0, unitStart(sent, 0));
  const closing = sent.text.slice(unitEnd(sent, sent.size - 1));
  return {
    start: openSpan(file.text, unitStart(file, index), opening),
    end: closeSpan(file.text, unitEnd(file, index + sent.size - 1), closing),
  };
}

const BLANK = /[\s\u200b\u00ad]/;
/** A span never swallows more blank characters than this at either end. */
const MAX_BLANKS = 1000;

/** More than a span can swallow need not be counted. */
function breaksIn(blanks: string): number {
  return blanks.split('\n', MAX_BLANKS + 2).length - 1;
}

/** Goes back over as many line breaks as the opening has, and over the blanks of the line. */
function openSpan(text: string, unit: number, opening: string): number {
  if (opening === '') return unit;
  let breaks = breaksIn(opening);
  let start = unit;
  while (start > 0 && unit - start < MAX_BLANKS && BLANK.test(text[start - 1] ?? '')) {
    if (text[start - 1] === '\n' && breaks-- === 0) break;
    start--;
  }
  return start;
}

function closeSpan(text: string, unit: number, closing: string): number {
  if (closing === '') return unit;
  let breaks = breaksIn(closing);
  let end = unit;
  while (end < text.length && end - unit < MAX_BLANKS && BLANK.test(text[end] ?? '')) {
    if (text[end] === '\n' && breaks-- === 0) return end > unit && text[end - 1] === '\r' ? end - 1 : end;
    end++;
    if (breaks === 0 && text[end - 1] === '\n') return end;
  }
  return end;
}
