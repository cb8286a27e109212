import type { Steps } from './steps';

const UNITS_PER_STEP = 262_144;

/** For each prefix, the length of its longest proper prefix that is also its suffix (after Knuth, Morris and Pratt). */
export function* bordersOf(wanted: Uint16Array): Steps<Int32Array> {
  const borders = new Int32Array(wanted.length);
  for (let from = 1; from < wanted.length; from += UNITS_PER_STEP) {
    fillRange(borders, wanted, { from, to: Math.min(wanted.length, from + UNITS_PER_STEP) });
    yield;
  }
  return borders;
}

function fillRange(borders: Int32Array, wanted: Uint16Array, { from, to }: { from: number; to: number }): void {
  let length = borders[from - 1] ?? 0;
  for (let at = from; at < to; at++) {
    const unit = wanted[at];
    while (length > 0 && unit !== wanted[length]) length = borders[length - 1] ?? 0;
    if (unit === wanted[length]) length++;
    borders[at] = length;
  }
}
