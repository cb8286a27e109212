import type { Steps } from './steps';

/**
 * Finds many strings in a text by their grams, pieces of one length, of which a few of each string are in a table.
 *
 * The text is only looked at in steps of S characters. Wherever a string stands, exactly one of any S grams that follow
 * each other in it begins on a step. So S such grams of each string go into the table, those that the fewest other
 * strings share; and each gram of the text that is in the table points at the strings that may stand there, to be
 * compared in full.
 */
export class GramTable {
  readonly #kind: GramKind;
  readonly #entries = new Map<number, Entry[]>();
  /** Which hashes may have entries: most grams of a text have none, and are turned away here. */
  readonly #sieve = new Uint8Array(SIEVE_SIZE);

  constructor(kind: GramKind) {
    this.#kind = kind;
  }

  /** Gives those that have no grams of their own, or that few others share. */
  *enter(strings: readonly string[]): Steps<string[]> {
    const { gram, seen, step, sharing } = this.#kind;
    const counts = new Uint8Array(placesFor(strings.reduce((sum, { length }) => sum + Math.min(length, seen), 1)));
    const hashed: Int32Array[] = [];
    for (const string of strings) {
      const hashes = hashGrams(string, gram, Math.min(string.length, seen) - gram + 1);
      countGrams(hashes, counts, sharing);
      hashed.push(hashes);
      yield;
    }
    const left: string[] = [];
    for (const [index, hashes] of hashed.entries()) {
      const string = strings[index] as string;
      const start = findRareRun(hashes, counts, { length: step, sharing });
      if (start === undefined) left.push(string);
      else this.#add(string, hashes, start);
      yield;
    }
    return left;
  }

  /** Visits every place of every string in it, each string's in ascending order. False: it gave up halfway. */
  *find(text: string, visit: Visit): Steps<boolean> {
    const { gram, step } = this.#kind;
    const last = text.length - gram;
    const search = { text, visit, budget: COMPARISONS_PER_CHARACTER * text.length + SPARE_COMPARISONS };
    for (let from = 0; from <= last; from += GRAMS_PER_STEP * step) {
      const to = Math.min(last, from + (GRAMS_PER_STEP - 1) * step);
      if (step === 1) this.#lookEverywhere(search, from, to);
      else this.#lookOnSteps(search, from, to);
      if (search.budget < 0) return false;
      yield;
    }
    return true;
  }

  /** The second half of a gram is the first half of the next. */
  #lookOnSteps(search: Search, from: number, to: number): void {
    const { text } = search;
    const { step } = this.#kind;
    const shift = powerOfBase(step);
    let first = hash(text, from, step);
    for (let at = from; at <= to; at += step) {
      const second = hash(text, at + step, step);
      const key = (Math.imul(first, shift) + second) | 0;
      first = second;
      if (this.#sieve[key & SIEVE_MASK] === 1) this.#compare(search, key, at);
    }
  }

  /** Each gram follows from the one before by the character that leaves and the one that enters. */
  #lookEverywhere(search: Search, from: number, to: number): void {
    const { text } = search;
    const { gram } = this.#kind;
    const leaving = powerOfBase(gram - 1);
    let key = hash(text, from, gram);
    for (let at = from; at <= to; at++) {
      if (this.#sieve[key & SIEVE_MASK] === 1) this.#compare(search, key, at);
      key = rolled(key, leaving, text.charCodeAt(at), text.charCodeAt(at + gram));
    }
  }

  #compare(search: Search, key: number, at: number): void {
    for (const { string, head, offset } of this.#entries.get(key) ?? []) {
      if (search.budget < 0) return;
      if (offset > at) continue;
      search.budget -= head.length;
      if (!search.text.startsWith(head, at - offset)) continue;
      search.budget -= string.length - head.length;
      if (head === string || search.text.startsWith(string, at - offset)) search.visit(string, at - offset);
    }
  }

  #add(string: string, hashes: Int32Array, start: number): void {
    const head = string.slice(0, HEAD_CHARACTERS);
    // From behind: of two places that one gram points at, the earlier has the greater offset.
    for (let offset = start + this.#kind.step - 1; offset >= start; offset--) {
      const key = hashes[offset] as number;
      const entries = this.#entries.get(key);
      if (entries === undefined) this.#entries.set(key, [{ string, head, offset }]);
      else entries.push({ string, head, offset });
      this.#sieve[key & SIEVE_MASK] = 1;
    }
  }
}

export interface GramKind {
  /** How many characters a gram has: two steps, or any number where the step is one. */
  readonly gram: number;
  readonly step: number;
  /** Only so many characters of a string are looked at for its grams. */
  readonly seen: number;
  /** How many times the strings may hold a gram that is used. */
  readonly sharing: number;
}

/** Of the polynomial whose value is the hash of a gram. */
const BASE = 31;
/** So that few grams share a place of the counts. */
const PLACES_PER_GRAM = 3;
const MAX_PLACES = 2 ** 24;
const GRAMS_PER_STEP = 4096;
const SIEVE_SIZE = 1 << 16;
const SIEVE_MASK = SIEVE_SIZE - 1;

/** Compared first: most strings that do not stand there differ soon. */
const HEAD_CHARACTERS = 64;
const COMPARISONS_PER_CHARACTER = 8;
const SPARE_COMPARISONS = 32_768;

type Visit = (string: string, at: number) => void;

interface Search {
  readonly text: string;
  readonly visit: Visit;
  /** How many more characters may be compared. */
  budget: number;
}

interface Entry {
  readonly string: string;
  readonly head: string;
  readonly offset: number;
}

function hash(text: string, start: number, length: number): number {
  let value = 0;
  for (let at = start; at < start + length; at++) value = (Math.imul(value, BASE) + text.charCodeAt(at)) | 0;
  return value;
}

/** The hashes of the first grams of a string. */
function hashGrams(string: string, gram: number, count: number): Int32Array {
  const hashes = new Int32Array(count);
  const leaving = powerOfBase(gram - 1);
  let value = hash(string, 0, gram);
  for (let at = 0; at < count; at++) {
    hashes[at] = value;
    value = rolled(value, leaving, string.charCodeAt(at), string.charCodeAt(at + gram));
  }
  return hashes;
}

/** The hash of the next gram, when one character leaves and another enters. */
function rolled(value: number, power: number, leaving: number, entering: number): number {
  return (Math.imul((value - Math.imul(power, leaving)) | 0, BASE) + entering) | 0;
}

function powerOfBase(exponent: number): number {
  let power = 1;
  for (let count = 0; count < exponent; count++) power = Math.imul(power, BASE);
  return power;
}

/** A power of two. */
function placesFor(grams: number): number {
  return Math.min(MAX_PLACES, 2 ** Math.ceil(Math.log2(PLACES_PER_GRAM * grams)));
}

/**
 * Counts how often each gram was seen, or more: two that share a place in the table are counted together. That takes a
 * fraction of the time of a `Map`, and at worst a string is left over that need not have been.
 */
function countGrams(hashes: Int32Array, counts: Uint8Array, sharing: number): void {
  const mask = counts.length - 1;
  for (let at = 0; at < hashes.length; at++) {
    const place = (hashes[at] as number) & mask;
    const count = counts[place] as number;
    if (count <= sharing) counts[place] = count + 1;
  }
}

/** Where the first run of grams begins that are as rare as can be, or undefined if none is rare enough. */
function findRareRun(
  hashes: Int32Array,
  counts: Uint8Array,
  { length, sharing }: { length: number; sharing: number },
): number | undefined {
  const mask = counts.length - 1;
  for (let limit = 1; limit <= sharing; limit *= 2) {
    let run = 0;
    for (let at = 0; at < hashes.length; at++) {
      run = (counts[(hashes[at] as number) & mask] as number) <= limit ? run + 1 : 0;
      if (run === length) return at - length + 1;
    }
  }
  return undefined;
}
