/**
 * One walk over a text, as fast as JavaScript goes: its folded codes, and a checkpoint every so many units or
 * characters, by which a unit finds back to its place in the text. Linear whatever the text is.
 */

import { firstIndex } from '../first-index.js';
import { runAtOnce, type Steps } from '../steps.js';
import { DROPPED, type FoldTable, readUnit, SPECIAL, skipMarks, type Unit } from './fold.js';

export interface Survey {
  readonly text: string;
  readonly codes: Uint16Array;
  /** How many codes are in use. */
  readonly size: number;
  readonly checkpoints: Checkpoints;
  readonly table: FoldTable;
}

/** Units by their numbers, and where they start, both ascending. */
interface Checkpoints {
  readonly units: Int32Array;
  readonly starts: Int32Array;
  /** How many there are. */
  count: number;
}

const CHARS_PER_STEP = 131_072;
const UNITS_BITS = 9;
/** Between two units there may be any number of blanks. */
const CHARS_BITS = 12;

export function survey(text: string, table: FoldTable): Survey {
  return runAtOnce(surveySteps(text, table));
}

export function* surveySteps(text: string, table: FoldTable): Steps<Survey> {
  const codes = new Uint16Array(text.length);
  const most = (text.length >> UNITS_BITS) + (text.length >> CHARS_BITS) + 2;
  const checkpoints = { units: new Int32Array(most), starts: new Int32Array(most), count: 0 };
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
  const { units, starts } = checkpoints;
  let { at, size } = done;
  let [dueUnit, dueAt] = nextDue(checkpoints);
  for (let next = 0; at < to; at = next) {
    let code = table[text.charCodeAt(at)] ?? DROPPED;
    next = at + 1;
    if (code === SPECIAL) {
      readUnit(table, text, at, unit);
      code = unit.code;
      next = unit.end;
    }
    if (code === DROPPED) continue;
    if (size >= dueUnit || at >= dueAt) {
      units[checkpoints.count] = size;
      starts[checkpoints.count++] = at;
      [dueUnit, dueAt] = nextDue(checkpoints);
    }
    codes[size++] = code;
  }
  return { at, size };
}

/** The unit, or the place, from which on the next checkpoint is due. */
function nextDue({ units, starts, count }: Checkpoints): [unit: number, at: number] {
  if (count === 0) return [0, 0];
  return [(units[count - 1] ?? 0) + (1 << UNITS_BITS), (starts[count - 1] ?? 0) + (1 << CHARS_BITS)];
}

/** Where the unit of this number starts in the text. */
export function unitStart(from: Survey, index: number): number {
  const unit: Unit = { code: 0, end: 0 };
  const { units, starts } = used(from.checkpoints);
  const checkpoint = firstIndex(units, (each) => each > index) - 1;
  let at = starts[checkpoint] ?? 0;
  let left = index - (units[checkpoint] ?? 0);
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
  const { units, starts } = used(from.checkpoints);
  const checkpoint = firstIndex(starts, (start) => start >= place) - 1;
  if (checkpoint < 0) return 0;
  let count = units[checkpoint] ?? 0;
  for (let at = starts[checkpoint] ?? 0; at < place; at = unit.end) {
    readUnit(from.table, from.text, at, unit);
    if (unit.code !== DROPPED) count++;
  }
  return count;
}

function used({ units, starts, count }: Checkpoints): Omit<Checkpoints, 'count'> {
  return { units: units.subarray(0, count), starts: starts.subarray(0, count) };
}

export function usedCodes(from: Survey): Uint16Array {
  return from.codes.subarray(0, from.size);
}
