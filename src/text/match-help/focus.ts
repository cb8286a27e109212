/**
 * Bounds the text for which near places are sought. Of a long `old_string`, the lines that the edit changes are what
 * matters, with a few around them to tell their place.
 */

import type { Steps } from '../steps.js';
import { changedPart } from './part-that-matters.js';
import { lineEnd, lineStart } from './span.js';
import type { Survey } from './survey.js';

const MAX_FOCUS_CHARS = 8_000;
const MAX_FOCUS_LINES = 120;
const CONTEXT_CHARS = 300;

export function* focusOf(plain: Survey, replacement: string | undefined): Steps<string> {
  const { text: sent } = plain;
  if (isShort(sent)) return sent;
  const changed = (yield* changedPart(plain, replacement)) ?? { start: 0, end: sent.length };
  const start = lineStart(sent, Math.max(0, changed.start - CONTEXT_CHARS));
  const end = lineEnd(sent, Math.min(sent.length, changed.end + CONTEXT_CHARS));
  const text = sent.slice(start, end);
  return isShort(text) ? text : cut(text);
}

function isShort(text: string): boolean {
  return text.length <= MAX_FOCUS_CHARS && text.split('\n').length <= MAX_FOCUS_LINES;
}

function cut(text: string): string {
  return text.slice(0, MAX_FOCUS_CHARS).split('\n').slice(0, MAX_FOCUS_LINES).join('\n');
}
