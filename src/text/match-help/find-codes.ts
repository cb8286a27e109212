/**
 * Finds a row of codes in a larger one, with overlaps (Knuth, Morris, Pratt): each code of the larger row is looked
 * at once, so that no repetition, however bad, makes it slower.
 */

import { bordersOf } from '../borders.js';
import { eachOccurrence } from '../occurrences.js';
import type { Steps } from '../steps.js';

const CODES_PER_STEP = 262_144;

export interface FindOptions {
  /** Stop after so many. */
  limit: number;
  from?: number;
  to?: number;
}

/** The index of the first code of every occurrence, up to the limit. */
export function* findCodes(hay: Uint16Array, size: number, needle: Uint16Array, options: FindOptions): Steps<number[]> {
  const { limit, from = 0, to = size } = options;
  const found: number[] = [];
  if (needle.length === 0 || needle.length > to - from) return found;
  const wanted = { needle, fallback: yield* bordersOf(needle), limit };
  let matched = 0;
  for (let at = from; at < to && found.length < limit; at += CODES_PER_STEP) {
    matched = findInRange(hay, { from: at, to: Math.min(to, at + CODES_PER_STEP) }, { ...wanted, matched }, found);
    yield;
  }
  return found;
}

interface Wanted {
  readonly needle: Uint16Array;
  readonly fallback: Int32Array;
  readonly limit: number;
  /** How many of its codes stand just before the range. */
  readonly matched: number;
}

/** Gives how many codes of the needle stand just before the end of the range. */
function findInRange(
  hay: Uint16Array,
  { from, to }: { from: number; to: number },
  { needle, fallback, limit, matched: before }: Wanted,
  found: number[],
): number {
  const first = needle[0];
  let matched = before;
  for (let at = from; at < to; at++) {
    if (matched === 0) {
      while (at < to && hay[at] !== first) at++;
      if (at >= to) break;
    }
    const code = hay[at];
    while (matched > 0 && needle[matched] !== code) matched = fallback[matched - 1] ?? 0;
    if (needle[matched] === code) matched++;
    if (matched === needle.length) {
      found.push(at - matched + 1);
      if (found.length >= limit) return matched;
      matched = fallback[matched - 1] ?? 0;
    }
  }
  return matched;
}

/** The same in plain text. */
export function* findText(text: string, part: string, limit: number): Steps<number[]> {
  const found: number[] = [];
  const steps = eachOccurrence(text, part, (at) => {
    if (found.length < limit) found.push(at);
  });
  for (const step of steps) {
    if (found.length >= limit) break;
    yield step;
  }
  return found;
}
