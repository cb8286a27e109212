/**
 * Many strings, found in a text in one pass.
 *
 * The text is only looked at in steps of S characters, each time at a gram of Q characters. Wherever a string of at
 * least S + Q - 1 characters stands, exactly one of its first S grams begins on a step. So these grams go into a hash
 * table, and each gram of the text that is in it points at the strings that may stand there, to be compared in full.
 *
 * What does not suit is left to the caller, to be searched alone: strings that are too short or too long, strings whose
 * grams are too common among the others, and all of them when the comparisons pass their budget.
 */
export class Needles {
  /** What is searched for. */
  readonly strings: readonly string[];
  readonly #known: ReadonlySet<string>;
  readonly #gram: number;
  readonly #step: number;
  readonly #entries = new Map<number, Entry[]>();
  /** Which hashes may have entries: most grams of a text have none, and are turned away here. */
  readonly #sieve = new Uint8Array(SIEVE_SIZE);

  /** `textLength` is that of the text to be searched: the longer, the more a large table pays. */
  constructor(wanted: readonly string[], textLength: number) {
    const suited = [...new Set(wanted)].filter(({ length }) => length >= MIN_CHARACTERS && length <= MAX_CHARACTERS);
    const shortest = suited.reduce((least, { length }) => Math.min(least, length), MAX_CHARACTERS);
    this.#gram = Math.min(MAX_GRAM, shortest >> 1);
    const widest = shortest - this.#gram + 1;
    this.#step = Math.max(1, Math.min(widest, Math.round(Math.sqrt(textLength / (4 * suited.length)))));
    this.strings = suited.filter((string) => this.#enter(string));
    this.#known = new Set(this.strings);
  }

  has(string: string): boolean {
    return this.#known.has(string);
  }

  /** Every place of every string that it has, or undefined: it gave up. */
  locate(text: string): Map<string, number[]> | undefined {
    const places = new Map<string, number[]>();
    const complete = this.find(text, (string, at) => {
      const known = places.get(string);
      if (known === undefined) places.set(string, [at]);
      else known.push(at);
    });
    return complete ? places : undefined;
  }

  /** Visits every place of every string that it has, each string's in ascending order. False: it gave up halfway. */
  find(text: string, visit: (string: string, at: number) => void): boolean {
    let budget = COMPARISONS_PER_CHARACTER * (text.length + MAX_CHARACTERS);
    for (let at = 0; at + this.#gram <= text.length; at += this.#step) {
      const key = hash(text, at, this.#gram);
      if (this.#sieve[key & SIEVE_MASK] === 0) continue;
      for (const { string, offset } of this.#entries.get(key) ?? []) {
        if (offset > at || !this.#known.has(string)) continue;
        budget -= string.length;
        if (budget < 0) return false;
        if (text.startsWith(string, at - offset)) visit(string, at - offset);
      }
    }
    return true;
  }

  #enter(string: string): boolean {
    for (let offset = 0; offset < this.#step; offset++) {
      const key = hash(string, offset, this.#gram);
      const entries = this.#entries.get(key) ?? [];
      if (entries.length === MAX_SHARING) return false;
      // The entry with the greater offset belongs to the earlier place.
      entries.unshift({ string, offset });
      this.#entries.set(key, entries);
      this.#sieve[key & SIEVE_MASK] = 1;
    }
    return true;
  }
}

const MIN_CHARACTERS = 16;
const MAX_CHARACTERS = 4096;
const MAX_GRAM = 16;
/** How many entries may have the same gram. */
const MAX_SHARING = 8;
const COMPARISONS_PER_CHARACTER = 8;
const SIEVE_SIZE = 1 << 16;
const SIEVE_MASK = SIEVE_SIZE - 1;

interface Entry {
  readonly string: string;
  readonly offset: number;
}

function hash(text: string, start: number, length: number): number {
  let value = 0;
  for (let at = start; at < start + length; at++) value = (Math.imul(value, 31) + text.charCodeAt(at)) | 0;
  return value;
}
