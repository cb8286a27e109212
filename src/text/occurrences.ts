import { bordersOf } from './borders';
import { firstIndex } from './first-index';
import { mapPieces } from './map-pieces';
import type { Needles, Places } from './needles';
import type { Steps } from './steps';

/**
 * Finds a string in a text, overlaps included, in time linear in both, whatever they hold.
 *
 * The engine's own `indexOf` is the fastest search for ordinary text, but can take (text × wanted) steps on repetitive
 * text. So it only ever looks for a short probe, the last characters of what is wanted, and each hit is compared in
 * full. The comparisons are paid from a budget; when it runs out, the text is repetitive, and the rest is searched by
 * Knuth, Morris and Pratt, which is slower at first but never looks at a character twice.
 */
export function* eachOccurrence(text: string, wanted: string, visit: (at: number) => void): Steps<void> {
  if (wanted === '') return;
  const lead = Math.max(0, wanted.length - PROBE_CHARACTERS);
  const probe = wanted.slice(lead);
  const cost = wanted.length + CALL_COST;
  let budget = COMPARISONS_PER_CHARACTER * text.length;
  let unpaused = 0;
  // The probe is looked for in one stretch after the other, since where it is rare one search goes through all the text.
  for (let from = lead; from < text.length; from += CHARACTERS_PER_STEP) {
    const stretch = text.slice(from, from + CHARACTERS_PER_STEP + probe.length - 1);
    for (let hit = stretch.indexOf(probe); hit !== -1; hit = stretch.indexOf(probe, hit + 1)) {
      const at = from + hit - lead;
      budget -= cost;
      unpaused += cost;
      if (budget < 0) {
        yield* searchLinearly(text, wanted, at, visit);
        return;
      }
      // Several times as fast as `startsWith`, where it is long.
      if (lead === 0 || text.slice(at, at + wanted.length) === wanted) visit(at);
      if (unpaused < COMPARISONS_PER_STEP) continue;
      unpaused = 0;
      yield;
    }
    yield;
  }
}

/**
 * A text that is searched again and again, as it stands or with `\r\n` read as `\n`. Visits get the span of the match
 * in the text itself. If needles are given, it looks for all of them when it is first asked for one.
 */
export class Haystack {
  readonly #exact: SearchedText;
  readonly #needles: Needles | undefined;
  #folded: { readonly text: SearchedText; readonly unfold: FoldedText['unfold'] } | 'as_it_is' | undefined;

  constructor(text: string, needles?: Needles) {
    this.#exact = new SearchedText(text, needles);
    this.#needles = needles;
  }

  *eachExact(wanted: string, visit: (start: number, end: number) => void): Steps<void> {
    yield* this.#exact.each(wanted, (at) => visit(at, at + wanted.length));
  }

  /**
   * A `\n` at the start of a match takes the `\r` before it along. Where the text has no `\r\n`, there are no places
   * but the exact ones, and none is visited.
   */
  *eachFolded(wanted: string, visit: (start: number, end: number) => void): Steps<void> {
    this.#folded ??= yield* this.#fold();
    if (this.#folded === 'as_it_is') return;
    const { text, unfold } = this.#folded;
    yield* text.each(wanted, (at) => visit(unfold(at), unfold(at + wanted.length)));
  }

  *#fold(): Steps<{ text: SearchedText; unfold: FoldedText['unfold'] } | 'as_it_is'> {
    const folded = yield* foldSteps(this.#exact.text);
    return folded ? { text: new SearchedText(folded.text, this.#needles), unfold: folded.unfold } : 'as_it_is';
  }
}

/** A text with its `\r\n` read as `\n`. */
export interface FoldedText {
  readonly text: string;
  /** Where an offset of it is in the text as it stands. */
  unfold(offset: number): number;
}

/** Undefined: it has no `\r\n`. */
export function* foldSteps(text: string): Steps<FoldedText | undefined> {
  if (text.length <= CHARACTERS_PER_STEP && !text.includes('\r\n')) return undefined;
  // As many as there can be: memory that is not written to costs nothing, and to let a list of millions grow does.
  let room = new Int32Array(0);
  let count = 0;
  yield* eachOccurrence(text, '\r\n', (at) => {
    if (count === 0) room = new Int32Array(text.length >> 1);
    // Where, in the folded text, a `\n` stands for `\r\n`.
    room[count] = at - count;
    count++;
  });
  if (count === 0) return undefined;
  const ends = room.subarray(0, count);
  return {
    text: yield* mapPieces(text, '\r\n', foldLineEnds),
    unfold: (offset) => offset + firstIndex(ends, (end) => end >= offset),
  };
}

export function foldLineEnds(text: string): string {
  return text.split('\r\n').join('\n');
}

class SearchedText {
  readonly text: string;
  readonly #needles: Needles | undefined;
  #places: Places | 'gave_up' | undefined;

  constructor(text: string, needles: Needles | undefined) {
    this.text = text;
    this.#needles = needles;
  }

  *each(wanted: string, visit: (at: number) => void): Steps<void> {
    const places = this.#needles?.has(wanted) ? yield* this.#locate(this.#needles, wanted) : 'too_many';
    if (places === 'too_many') yield* eachOccurrence(this.text, wanted, visit);
    else for (const at of places) visit(at);
  }

  *#locate(needles: Needles, wanted: string): Steps<readonly number[] | 'too_many'> {
    this.#places ??= (yield* needles.locateSteps(this.text)) ?? 'gave_up';
    return this.#places === 'gave_up' ? 'too_many' : (this.#places.get(wanted) ?? []);
  }
}

const CHARACTERS_PER_STEP = 262_144;
/** Each of them may be the end of a place that is visited. */
const CHARACTERS_PER_LINEAR_STEP = 65_536;
const COMPARISONS_PER_STEP = 262_144;
const PROBE_CHARACTERS = 128;
const COMPARISONS_PER_CHARACTER = 8;
/** What one call of `indexOf` costs, in comparisons. */
const CALL_COST = 16;

function* searchLinearly(text: string, wanted: string, from: number, visit: (at: number) => void): Steps<void> {
  const borders = yield* bordersOf(unitsOf(wanted));
  let matched = 0;
  for (let at = from; at < text.length; at += CHARACTERS_PER_LINEAR_STEP) {
    const range = { from: at, to: Math.min(text.length, at + CHARACTERS_PER_LINEAR_STEP) };
    matched = searchRange(text, range, { wanted, borders, matched }, visit);
    yield;
  }
}

/** Gives how many characters of what is wanted stand just before the end of the range. */
function searchRange(
  text: string,
  { from, to }: { from: number; to: number },
  { wanted, borders, matched: before }: { wanted: string; borders: Int32Array; matched: number },
  visit: (at: number) => void,
): number {
  let matched = before;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && unit !== wanted.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (unit === wanted.charCodeAt(matched)) matched++;
    if (matched === wanted.length) {
      visit(at - matched + 1);
      matched = borders[matched - 1] ?? 0;
    }
  }
  return matched;
}

function unitsOf(text: string): Uint16Array {
  const { buffer, byteOffset } = Buffer.from(text, 'utf16le');
  return new Uint16Array(buffer, byteOffset, text.length);
}
