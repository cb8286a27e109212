/**
 * The first of many texts in the order of their UTF-8, chosen as they come. Few more than are wanted are kept, and only
 * these are sorted: of all the others it is enough to know that they come later.
 */
export class FirstOfMany {
  readonly #count: number;
  /** What the first most likely are, in order; nothing when too many others came. */
  #likely: readonly string[];
  readonly #likelyBound: string | undefined;
  /** Of what is likely, those that did not come yet. */
  readonly #missing: Set<string>;
  #kept: string[] = [];
  /** Of what comes after all that is likely, the first few: most likely none of it is wanted. */
  readonly #later: FirstOfMany | undefined;
  /** Enough of those that were kept do not come after it. */
  #bound: string | undefined;
  #isCut = false;

  constructor(count: number, likely: readonly string[] = []) {
    this.#count = count;
    this.#likely = likely;
    this.#likelyBound = plainOnly(likely.at(-1));
    this.#missing = new Set(likely);
    this.#later = this.#likelyBound === undefined ? undefined : new FirstOfMany(MAX_LATER);
  }

  /** False where it is certain already that it is not among them. */
  offer(text: string): boolean {
    if (this.#bound !== undefined && text > this.#bound) {
      this.#isCut = true;
      return false;
    }
    if (this.#later && text > (this.#likelyBound as string)) return this.#later.offer(text);
    this.#missing.delete(text);
    if (this.#kept.push(text) >= 4 * this.#count + SPARE) this.#drop();
    return true;
  }

  /** Those that are first, in order, and whether there were more. Undefined: too few of the likely came to tell that. */
  take(): { readonly first: readonly string[]; readonly isCut: boolean } | undefined {
    if (!this.#takeLater()) return undefined;
    if (this.#areTheLikely()) return { first: this.#likely, isCut: this.#isCut };
    if (this.#kept.length > 2 * this.#count) this.#drop();
    this.#sortAndCut();
    return { first: this.#kept, isCut: this.#isCut };
  }

  #takeLater(): boolean {
    const later = this.#later?.take();
    if (!later) return true;
    const wanted = Math.max(0, this.#count - this.#kept.length);
    this.#isCut ||= later.isCut || later.first.length > wanted;
    this.#kept = this.#kept.concat(later.first.slice(0, wanted));
    return later.first.length >= wanted || !later.isCut;
  }

  #areTheLikely(): boolean {
    return this.#missing.size === 0 && this.#kept.length === this.#likely.length;
  }

  /** To sort all that is there takes five times as long as to compare it with a bound that was guessed. */
  #drop(): void {
    this.#likely = [];
    const bound = guessBound(this.#kept, this.#count);
    const within = bound === undefined ? [] : this.#kept.filter((text) => text <= bound);
    if (within.length < this.#count || within.length > this.#kept.length / 2) this.#sortAndCut();
    else {
      this.#isCut = true;
      this.#kept = within;
      this.#bound = bound;
    }
  }

  #sortAndCut(): void {
    sortBytewise(this.#kept);
    if (this.#kept.length <= this.#count) return;
    this.#isCut = true;
    this.#kept.length = this.#count;
    this.#bound = plainOnly(this.#kept[this.#count - 1]) ?? this.#bound;
  }
}

const SPARE = 512;
/** As many of the likely may be gone. Whatever else is kept, the engine copies in its collections. */
const MAX_LATER = 128;
const SAMPLES = 256;

/** Sorts in place, by the bytes of UTF-8. The order of JavaScript differs from that only where surrogates are. */
export function sortBytewise(texts: string[]): string[] {
  if (!texts.some((text) => SURROGATE.test(text))) return texts.sort();
  return texts.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
}

/** What `count` of the texts most likely do not come after, and not many more than that. */
function guessBound(texts: readonly string[], count: number): string | undefined {
  const step = texts.length / SAMPLES;
  const samples = Array.from({ length: SAMPLES }, (_, at) => texts[Math.floor(at * step)] ?? '').sort();
  const rank = count / step;
  return plainOnly(samples[Math.ceil(rank + 2 * Math.sqrt(rank))]);
}

/** Compared with a text that has no unit from the surrogates on, JavaScript puts every other where UTF-8 does. */
function plainOnly(text: string | undefined): string | undefined {
  return text === undefined || SURROGATE_OR_ABOVE.test(text) ? undefined : text;
}

const SURROGATE = /[\ud800-\udfff]/;
const SURROGATE_OR_ABOVE = /[\ud800-\uffff]/;
