/**
 * One walk over a text, as fast as JavaScript goes: its folded codes, and a checkpoint every so many units by which a
 * unit finds back to its place in the text. Linear whatever the text is.
 */

import { firstIndex } from '../first-index.js';
import { runAtOnce, type Steps } from '../steps.js';
import { DROPPED, type FoldTable, readUnit, SPECIAL, skipMarks, type Unit } from './fold.js';

export interface Survey {
  readonly text: string;
  readonly codes: Uint16Array;
  /** How many codes are in use. */
  readonly size: number;
  readonly checkpoints: Int32Array;
  readonly table: FoldTable;
}

const CHARS_PER_STEP = 131_072;
const CHECKPOINT_BITS = 9;
const CHECKPOINT_MASK = (1 << CHECKPOINT_BITS) - 1;

export function survey(text: string, table: FoldTable): Survey {
  return runAtOnce(surveySteps(text, table));
}

export function* surveySteps(text: string, table: FoldTable): Steps<Survey> {
  const codes = new Uint16Array(text.length);
  const checkpoints = new Int32Array((text.length >> CHECKPOINT_BITS) + 1);
  const made = { text, codes, checkpoints, table };
  let done = { at: 0, size: 0 };
  while (done.at < text.length) {
    done = surveyRange(made, done, Math.min(text.length, done.at + CHARS_PER_STEP));
    yield;
  }
  return { ...made, size: done.size };
}

/** Goes on from where the one before ended, up to `to` or a little further. */
function surveyRange(
  { text, codes, checkpoints, table }: Omit<Survey, 'size'>,
  done: { at: number; size: number },
  to: number,
): { at: number; size: number } {
  const unit: Unit = { code: 0, end: 0 };
  let { at, size } = done;
  for (let next = 0; at < to; at = next) {
    let code = table[text.charCodeAt(at)] ?? DROPPED;
    next = at + 1;
    if (code === SPECIAL) {
      readUnit(table, text, at, unit);
      code = unit.code;
      next = unit.end;
    }
    if (code === DROPPED) continue;
    if ((size & CHECKPOINT_MASK) === 0) checkpoints[size >> CHECKPOINT_BITS] = at;
    codes[size++] = code;
  }
  return { at, size };
}

/** Where the unit of this number starts in the text. */
export function unitStart(from: Survey, index: number): number {
  const unit: Unit = { code: 0, end: 0 };
  let at = from.checkpoints[index >> CHECKPOINT_BITS] ?? 0;
  let left = index & CHECKPOINT_MASK;
  for (;;) {
    while (from.table[from.text.charCodeAt(at)] === DROPPED) at++;
    readUnit(from.table, from.text, at, unit);
    if (unit.code !== DROPPED && left-- === 0) return at;
    if (at >= from.text.length) return at;
    at = unit.end;
  }
}

/** Just past the unit of this number and its combining marks. */
export function unitEnd(from: Survey, index: number): number {
  const unit: Unit = { code: 0, end: 0 };
  readUnit(from.table, from.text, unitStart(from, index), unit);
  return skipMarks(from.text, unit.end);
}

/** How many units stand before this place, at which one begins or ends. */
export function unitsBefore(from: Survey, place: number): number {
  const unit: Unit = { code: 0, end: 0 };
  const block = firstIndex(usedCheckpoints(from), (checkpoint) => checkpoint >= place) - 1;
  if (block < 0) return 0;
  let count = block << CHECKPOINT_BITS;
  for (let at = from.checkpoints[block] ?? 0; at < place; at = unit.end) {
    readUnit(from.table, from.text, at, unit);
    if (unit.code !== DROPPED) count++;
  }
  return count;
}

function usedCheckpoints({ checkpoints, size }: Survey): Int32Array {
  return checkpoints.subarray(0, Math.ceil(size / (1 << CHECKPOINT_BITS)));
}

export function usedCodes(from: Survey): Uint16Array {
  return from.codes.subarray(0, from.size);
}
