import { runAtOnce, type Steps } from './steps';

/**
 * Many strings, found in a text in one pass.
 *
 * The text is only looked at in steps of S characters, each time at a gram of 2S characters. Wherever a string stands,
 * exactly one of any S grams that follow each other in it begins on a step. So for each string, S such grams go into a
 * hash table, those that the fewest other strings share; and each gram of the text that is in the table points at the
 * strings that may stand there, to be compared in full.
 *
 * What does not suit is left to the caller, to be searched alone: strings that are too short or too long, strings too
 * similar to too many others, and all of them when the comparisons pass their budget.
 */
export class Needles {
  readonly #suited: readonly string[];
  readonly #known = new Set<string>();
  readonly #step: number;
  readonly #gram: number;
  /** What the hash of the first half of a gram is multiplied by when the second half follows. */
  readonly #shift: number;
  readonly #entries = new Map<number, Entry[]>();
  /** Which hashes may have entries: most grams of a text have none, and are turned away here. */
  readonly #sieve = new Uint8Array(SIEVE_SIZE);
  #isPrepared = false;

  constructor(wanted: readonly string[]) {
    this.#suited = [...new Set(wanted.filter(({ length }) => length >= MIN_CHARACTERS && length <= MAX_CHARACTERS))];
    const shortest = this.#suited.reduce((least, { length }) => Math.min(least, length), MAX_CHARACTERS);
    this.#step = Math.min(MAX_STEP, Math.floor((shortest + 1) / 3));
    this.#gram = 2 * this.#step;
    this.#shift = powerOfBase(this.#step);
  }

  /** Fills the table. Where nobody has done so before, the first question does. */
  *prepare(): Steps<void> {
    if (this.#isPrepared) return;
    const counts = new Uint8Array(placesFor(this.#suited));
    const hashed: Int32Array[] = [];
    for (const string of this.#suited) {
      const hashes = hashGrams(string.slice(0, SEEN_CHARACTERS), this.#gram);
      countGrams(hashes, counts);
      hashed.push(hashes);
      yield;
    }
    for (const [index, hashes] of hashed.entries()) {
      this.#enter(this.#suited[index] ?? '', hashes, counts);
      yield;
    }
    this.#isPrepared = true;
  }

  /** What is searched for. */
  get strings(): readonly string[] {
    runAtOnce(this.prepare());
    return [...this.#known];
  }

  has(string: string): boolean {
    runAtOnce(this.prepare());
    return this.#known.has(string);
  }

  locate(text: string): Map<string, number[]> | undefined {
    return runAtOnce(this.locateSteps(text));
  }

  /** Every place of every string that it has, or undefined: it gave up. */
  *locateSteps(text: string): Steps<Map<string, number[]> | undefined> {
    const places = new Map<string, number[]>();
    const complete = yield* this.find(text, (string, at) => {
      const known = places.get(string);
      if (known === undefined) places.set(string, [at]);
      else known.push(at);
    });
    return complete ? places : undefined;
  }

  /** Visits every place of every string that it has, each string's in ascending order. False: it gave up halfway. */
  *find(text: string, visit: (string: string, at: number) => void): Steps<boolean> {
    yield* this.prepare();
    let budget = COMPARISONS_PER_CHARACTER * (text.length + MAX_CHARACTERS);
    for (let from = 0; budget >= 0 && from < text.length; from += GRAMS_PER_STEP * this.#step) {
      budget = this.#findIn(text, from, visit, budget);
      yield;
    }
    return budget >= 0;
  }

  /** Looks at so many grams; gives what is left of the budget. */
  #findIn(text: string, from: number, visit: (string: string, at: number) => void, given: number): number {
    const to = Math.min(from + GRAMS_PER_STEP * this.#step, text.length - this.#gram + 1);
    let budget = given;
    // The second half of a gram is the first half of the next.
    let first = hash(text, from, this.#step);
    for (let at = from; at < to; at += this.#step) {
      const second = hash(text, at + this.#step, this.#step);
      const key = (Math.imul(first, this.#shift) + second) | 0;
      first = second;
      if (this.#sieve[key & SIEVE_MASK] === 0) continue;
      for (const { string, offset } of this.#entries.get(key) ?? []) {
        if (offset > at) continue;
        budget -= string.length;
        if (budget < 0) return budget;
        if (text.startsWith(string, at - offset)) visit(string, at - offset);
      }
    }
    return budget;
  }

  #enter(string: string, hashes: Int32Array, counts: Uint8Array): void {
    const start = findRareRun(hashes, counts, this.#step);
    if (start === undefined) return;
    this.#known.add(string);
    // From behind: of two places that one gram points at, the earlier has the greater offset.
    for (let offset = start + this.#step - 1; offset >= start; offset--) {
      const key = hashes[offset] ?? 0;
      const entries = this.#entries.get(key);
      if (entries === undefined) this.#entries.set(key, [{ string, offset }]);
      else entries.push({ string, offset });
      this.#sieve[key & SIEVE_MASK] = 1;
    }
  }
}

const MIN_CHARACTERS = 8;
const MAX_CHARACTERS = 4096;
/** Only so many characters of a string are looked at for its grams. */
const SEEN_CHARACTERS = 256;
const MAX_STEP = 8;
/** Of the polynomial whose value is the hash of a gram. */
const BASE = 31;
/** How many times the strings may hold a gram that is used. */
const MAX_SHARING = 8;
/** So that few grams share a place of the counts. */
const PLACES_PER_GRAM = 3;
const COMPARISONS_PER_CHARACTER = 8;
const GRAMS_PER_STEP = 4096;
const SIEVE_SIZE = 1 << 16;
const SIEVE_MASK = SIEVE_SIZE - 1;

interface Entry {
  readonly string: string;
  readonly offset: number;
}

function hash(text: string, start: number, length: number): number {
  let value = 0;
  for (let at = start; at < start + length; at++) value = (Math.imul(value, BASE) + text.charCodeAt(at)) | 0;
  return value;
}

/** The hash of every gram; each follows from the one before by the character that leaves and the one that enters. */
function hashGrams(string: string, length: number): Int32Array {
  const hashes = new Int32Array(string.length - length + 1);
  const leaving = powerOfBase(length - 1);
  let value = hash(string, 0, length);
  for (let at = 0; at < hashes.length; at++) {
    hashes[at] = value;
    const rest = (value - Math.imul(leaving, string.charCodeAt(at))) | 0;
    value = (Math.imul(rest, BASE) + string.charCodeAt(at + length)) | 0;
  }
  return hashes;
}

function powerOfBase(exponent: number): number {
  let power = 1;
  for (let count = 0; count < exponent; count++) power = Math.imul(power, BASE);
  return power;
}

/** A power of two, for as many grams as these strings can have. */
function placesFor(strings: readonly string[]): number {
  const grams = strings.reduce((sum, { length }) => sum + Math.min(length, SEEN_CHARACTERS), 1);
  return 2 ** Math.ceil(Math.log2(PLACES_PER_GRAM * grams));
}

/**
 * Counts how often each gram was seen, or more: two that share a place in the table are counted together. That takes a
 * fraction of the time of a `Map`, and at worst a string is searched alone that need not have been.
 */
function countGrams(hashes: Int32Array, counts: Uint8Array): void {
  const mask = counts.length - 1;
  for (let at = 0; at < hashes.length; at++) {
    const place = (hashes[at] ?? 0) & mask;
    const count = counts[place] ?? 0;
    if (count <= MAX_SHARING) counts[place] = count + 1;
  }
}

/** Where the first run of grams begins that are as rare as can be, or undefined if none is rare enough. */
function findRareRun(hashes: Int32Array, counts: Uint8Array, length: number): number | undefined {
  const mask = counts.length - 1;
  for (let limit = 1; limit <= MAX_SHARING; limit *= 2) {
    let run = 0;
    for (let at = 0; at < hashes.length; at++) {
      run = (counts[(hashes[at] ?? 0) & mask] ?? 0) <= limit ? run + 1 : 0;
      if (run === length) return at - length + 1;
    }
  }
  return undefined;
}
