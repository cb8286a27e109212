/**
 * What the sender may have meant: the text as it stands, and the text without the decoration of a listing it was
 * copied from. Decoration is a Markdown fence, a column of line numbers, the marks of a diff (its old side is meant),
 * or the quotes of a JSON string. A fence, numbers and diff marks all count as `line_numbers`: marks that a display
 * adds and the file does not have. A reading is only a proposal; it counts when the file has that text.
 */
import type { Steps } from '../steps.js';

export interface Reading {
  text: string;
  /** Why this reading differs from what was sent; none for the text itself. */
  reason?: 'line_numbers' | 'escaped';
}

export function* readingsOf(wanted: string): Steps<Reading[]> {
  if (wanted.length > MAX_COPIED_CHARS) return [{ text: wanted }];
  const bare = withoutFence(wanted);
  const readings: Reading[] = [{ text: wanted }, { text: bare, reason: 'line_numbers' }];
  yield;
  readings.push({ text: withoutNumbers(bare), reason: 'line_numbers' });
  yield;
  readings.push({ text: oldSide(bare), reason: 'line_numbers' });
  yield;
  readings.push({ text: withoutOuterQuotes(bare), reason: 'escaped' });
  return readings.filter(({ text }, index) => readings.findIndex((other) => other.text === text) === index);
}

/** Nobody copies more than this from a listing. */
const MAX_COPIED_CHARS = 400_000;
const FENCE = /^\s*(?:```|~~~)[\w+-]*\s*$/;

function withoutFence(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  if (first < 0 || !FENCE.test(lines[first] ?? '')) return text;
  const closes = last > first && FENCE.test(lines[last] ?? '');
  return lines.slice(first + 1, closes ? last : undefined).join('\n');
}

const NUMBERED = /^\s*(\d{1,7})(?:\t|→|\s*[|│]\s?|:\s?|\s+-\s)/;

/** Takes the column away when nearly all lines have one and the numbers mostly grow by one. */
function withoutNumbers(text: string): string {
  const lines = text.split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  const numbers = filled.flatMap((line) => NUMBERED.exec(line)?.[1] ?? []).map(Number);
  if (numbers.length === 0 || numbers.length < filled.length * 0.8) return text;
  const steps = numbers.filter((number, index) => index > 0 && number === (numbers[index - 1] ?? 0) + 1).length;
  if (steps < (numbers.length - 1) * 0.6) return text;
  return lines.map((line) => line.replace(NUMBERED, '').replace(/^\s*\d{1,7}$/, '')).join('\n');
}

const DIFF_HEADER = /^(?:@@ .*|--- \S.*|\+\+\+ \S.*|\\ No newline.*|diff --git .*)$/;

function oldSide(text: string): string {
  const lines = text.split('\n').filter((line) => !DIFF_HEADER.test(line));
  const marks = lines.map((line) => line[0] ?? ' ');
  if (!marks.every((mark) => ' +-\r'.includes(mark)) || !marks.some((mark) => '+-'.includes(mark))) return text;
  const removesOrKeeps = lines.filter((_, index) => marks[index] !== '+');
  const onlyAdds = removesOrKeeps.every((line) => line.trim() === '');
  return (onlyAdds ? lines : removesOrKeeps).map((line) => line.slice(1)).join('\n');
}

function withoutOuterQuotes(text: string): string {
  const trimmed = text.trim().replace(/,$/, '');
  const mark = trimmed[0] ?? '';
  const quoted = trimmed.length > 2 && '"\'`'.includes(mark) && trimmed.endsWith(mark) && trimmed.includes('\\');
  return quoted ? trimmed.slice(1, -1) : text;
}
