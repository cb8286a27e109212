import { firstIndex } from './first-index';
import type { Needles } from './needles';
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
  let budget = COMPARISONS_PER_CHARACTER * text.length;
  let hits = 0;
  for (let hit = text.indexOf(probe, lead); hit !== -1; hit = text.indexOf(probe, hit + 1)) {
    const at = hit - lead;
    budget -= wanted.length + CALL_COST;
    if (budget < 0) {
      yield* searchLinearly(text, wanted, at, visit);
      return;
    }
    if (lead === 0 || text.startsWith(wanted, at)) visit(at);
    if (++hits % HITS_PER_STEP === 0) yield;
  }
}

/**
 * A text that is searched again and again, as it stands or with `\r\n` read as `\n`. Visits get the span of the match
 * in the text itself. If needles are given, it looks for all of them when it is first asked for one.
 */
export class Haystack {
  readonly #exact: SearchedText;
  readonly #needles: Needles | undefined;
  #folded: { readonly text: SearchedText; readonly ends: readonly number[] } | undefined;

  constructor(text: string, needles?: Needles) {
    this.#exact = new SearchedText(text, needles);
    this.#needles = needles;
  }

  *eachExact(wanted: string, visit: (start: number, end: number) => void): Steps<void> {
    yield* this.#exact.each(wanted, (at) => visit(at, at + wanted.length));
  }

  /** A `\n` at the start of a match takes the `\r` before it along. */
  *eachFolded(wanted: string, visit: (start: number, end: number) => void): Steps<void> {
    this.#folded ??= yield* this.#fold();
    const { text, ends } = this.#folded;
    const unfold = (offset: number) => offset + firstIndex(ends, (end) => end >= offset);
    yield* text.each(wanted, (at) => visit(unfold(at), unfold(at + wanted.length)));
  }

  /** `ends`: where, in the folded text, a `\n` stands for `\r\n`. */
  *#fold(): Steps<{ text: SearchedText; ends: readonly number[] }> {
    const { text } = this.#exact;
    const ends: number[] = [];
    const parts: string[] = [];
    let done = 0;
    for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) {
      ends.push(at - ends.length);
      if (ends.length % HITS_PER_STEP !== 0) continue;
      parts.push(foldLineEnds(text.slice(done, at)));
      done = at;
      yield;
    }
    if (ends.length === 0) return { text: this.#exact, ends };
    parts.push(foldLineEnds(text.slice(done)));
    return { text: new SearchedText(parts.join(''), this.#needles), ends };
  }
}

export function foldLineEnds(text: string): string {
  return text.split('\r\n').join('\n');
}

class SearchedText {
  readonly text: string;
  readonly #needles: Needles | undefined;
  #places: ReadonlyMap<string, readonly number[]> | 'too_many' | undefined;

  constructor(text: string, needles: Needles | undefined) {
    this.text = text;
    this.#needles = needles;
  }

  *each(wanted: string, visit: (at: number) => void): Steps<void> {
    if (this.#needles?.has(wanted)) this.#places ??= (yield* this.#needles.locateSteps(this.text)) ?? 'too_many';
    if (!this.#needles?.has(wanted) || typeof this.#places !== 'object')
      yield* eachOccurrence(this.text, wanted, visit);
    else for (const at of this.#places.get(wanted) ?? []) visit(at);
  }
}

const HITS_PER_STEP = 8192;
const CHARACTERS_PER_STEP = 262_144;
const PROBE_CHARACTERS = 128;
const COMPARISONS_PER_CHARACTER = 8;
/** What one call of `indexOf` costs, in comparisons. */
const CALL_COST = 16;

function* searchLinearly(text: string, wanted: string, from: number, visit: (at: number) => void): Steps<void> {
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = from; at < text.length; at += CHARACTERS_PER_STEP) {
    const range = { from: at, to: Math.min(text.length, at + CHARACTERS_PER_STEP) };
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

/** For each prefix, the length of its longest proper prefix that is also its suffix. */
function bordersOf(wanted: string): Int32Array {
  const borders = new Int32Array(wanted.length);
  let length = 0;
  for (let at = 1; at < wanted.length; at++) {
    const unit = wanted.charCodeAt(at);
    while (length > 0 && unit !== wanted.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (unit === wanted.charCodeAt(length)) length++;
    borders[at] = length;
  }
  return borders;
}
