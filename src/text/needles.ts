import { type GramKind, GramTable } from './gram-table';
import { runAtOnce, type Steps } from './steps';

/**
 * Many strings, found in a text in a few passes: in one, where they are of the usual kind. Those that are too short or
 * too similar for that are looked for at every character, in a pass for each length of their grams.
 *
 * What does not suit is left to the caller, to be searched alone: a few strings for which no pass pays, strings much
 * longer than the others, strings too similar to too many others even so, and all of them when the comparisons pass
 * their budget.
 */
export class Needles {
  /** How often each of those that may suit is wanted. */
  readonly #suited = new Map<string, number>();
  readonly #known = new Set<string>();
  readonly #tables: GramTable[] = [];
  #isPrepared = false;

  constructor(wanted: readonly string[]) {
    const mean = wanted.reduce((sum, { length }) => sum + length, 0) / wanted.length;
    const most = Math.max(MAX_CHARACTERS, MAX_MEANS * mean);
    for (const string of wanted)
      if (string !== '' && string.length <= most) this.#suited.set(string, 1 + (this.#suited.get(string) ?? 0));
  }

  /** Fills the tables. Where nobody has done so before, the first question does. */
  *prepare(): Steps<void> {
    const suited = [...this.#suited.keys()];
    const usual = suited.filter(({ length }) => length >= MIN_USUAL);
    const left = usual.length === 0 ? [] : yield* this.#enter(usualKind(usual), usual);
    const others = [...left, ...suited.filter(({ length }) => length < MIN_USUAL)];
    for (const gram of GRAMS) {
      const alike = others.filter(({ length }) => gramFor(length) === gram);
      const times = alike.reduce((sum, string) => sum + (this.#suited.get(string) ?? 0), 0);
      if (times >= MIN_TIMES) yield* this.#enter({ gram, step: 1, seen: MAX_SEEN, sharing: MAX_SHARING }, alike);
    }
    this.#isPrepared = true;
  }

  /** What is searched for. */
  get strings(): readonly string[] {
    this.#prepareNow();
    return [...this.#known];
  }

  has(string: string): boolean {
    this.#prepareNow();
    return this.#known.has(string);
  }

  locate(text: string): Places | undefined {
    return runAtOnce(this.locateSteps(text));
  }

  /** Where every string that it has stands, or undefined: it gave up. */
  *locateSteps(text: string): Steps<Places | undefined> {
    const places = new Map<string, number[] | 'too_many'>();
    const complete = yield* this.find(text, (string, at) => {
      const known = places.get(string);
      if (known === undefined) places.set(string, [at]);
      else if (known === 'too_many') return;
      else if (known.length < MAX_PLACES) known.push(at);
      else places.set(string, 'too_many');
    });
    return complete ? places : undefined;
  }

  /** Visits every place of every string that it has, each string's in ascending order. False: it gave up halfway. */
  *find(text: string, visit: (string: string, at: number) => void): Steps<boolean> {
    if (!this.#isPrepared) yield* this.prepare();
    for (const table of this.#tables) if (!(yield* table.find(text, visit))) return false;
    return true;
  }

  #prepareNow(): void {
    if (!this.#isPrepared) runAtOnce(this.prepare());
  }

  *#enter(kind: GramKind, strings: readonly string[]): Steps<string[]> {
    const table = new GramTable(kind);
    const left = yield* table.enter(strings);
    if (left.length === strings.length) return left;
    this.#tables.push(table);
    const outside = new Set(left);
    for (const string of strings) if (!outside.has(string)) this.#known.add(string);
    return left;
  }
}

/** Each string's in ascending order. */
export type Places = ReadonlyMap<string, readonly number[] | 'too_many'>;

/** A string that stands in more is better searched alone than remembered. */
const MAX_PLACES = 1024;
const MIN_USUAL = 8;
const MAX_CHARACTERS = 4096;
/** Longer than the mean: around each change, so much more has to be looked at. */
const MAX_MEANS = 16;
const MAX_STEP = 8;

/** Most strings have something of their own early on. */
function usualKind(strings: readonly string[]): GramKind {
  const shortest = strings.reduce((least, { length }) => Math.min(least, length), MAX_CHARACTERS);
  const step = Math.min(MAX_STEP, Math.floor((shortest + 1) / 3));
  return { gram: 2 * step, step, seen: 256, sharing: 8 };
}

/** From how many searches on a pass at every character pays. */
const MIN_TIMES = 24;
const GRAMS = [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 128, 256];
const MAX_SEEN = 65_536;
const MAX_SHARING = 64;

function gramFor(length: number): number | undefined {
  return GRAMS.findLast((gram) => gram <= length);
}
