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
  /** What is searched for. */
  readonly strings: readonly string[];
  readonly #known: ReadonlySet<string>;
  readonly #step: number;
  readonly #gram: number;
  /** What the hash of the first half of a gram is multiplied by when the second half follows. */
  readonly #shift: number;
  readonly #entries = new Map<number, Entry[]>();
  /** Which hashes may have entries: most grams of a text have none, and are turned away here. */
  readonly #sieve = new Uint8Array(SIEVE_SIZE);

  constructor(wanted: readonly string[]) {
    const suited = [...new Set(wanted)].filter(({ length }) => length >= MIN_CHARACTERS && length <= MAX_CHARACTERS);
    const shortest = suited.reduce((least, { length }) => Math.min(least, length), MAX_CHARACTERS);
    this.#step = Math.min(MAX_STEP, Math.floor((shortest + 1) / 3));
    this.#gram = 2 * this.#step;
    this.#shift = powerOfBase(this.#step);
    const hashed = suited.map((string) => ({
      string,
      hashes: hashGrams(string.slice(0, SEEN_CHARACTERS), this.#gram),
    }));
    const frequencies = countEach(hashed.map(({ hashes }) => hashes));
    for (const { string, hashes } of hashed) this.#enter(string, hashes, frequencies);
    this.#known = new Set([...this.#entries.values()].flatMap((entries) => entries.map(({ string }) => string)));
    this.strings = [...this.#known];
  }

  has(string: string): boolean {
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

  #enter(string: string, hashes: Int32Array, frequencies: ReadonlyMap<number, number>): void {
    const shared = Array.from(hashes, (key) => frequencies.get(key) ?? 0);
    const start = findRareRun(shared, this.#step);
    if (start === undefined) return;
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
const COMPARISONS_PER_CHARACTER = 8;
const GRAMS_PER_STEP = 16_384;
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

function countEach(lists: readonly Int32Array[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const list of lists) for (const value of list) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Where the first run of grams begins that are as rare as can be, or undefined if none is rare enough. */
function findRareRun(shared: readonly number[], length: number): number | undefined {
  for (let limit = 1; limit <= MAX_SHARING; limit *= 2) {
    let run = 0;
    for (const [at, count] of shared.entries()) {
      run = count <= limit ? run + 1 : 0;
      if (run === length) return at - length + 1;
    }
  }
  return undefined;
}
