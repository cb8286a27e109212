import { utf8Length } from './encoding';
import { LineIndex } from './lines';
import { mapPieces } from './map-pieces';
import { foldLineEnds, Haystack } from './occurrences';
import { runAtOnce, type Steps } from './steps';

/**
 * Exact search and literal replacement, with one tolerance.
 *
 * Occurrences are counted with overlaps: `aa` occurs twice in `aaa`, since either could be meant. The tolerance: a
 * wanted text whose line ends are all `\n`, and which does not occur as it stands, also matches where the text has
 * `\r\n` for some of them; the `\n` of the replacement then become `\r\n` too. A wanted text that holds `\r\n` itself
 * is taken at its word.
 *
 * One replacement wants one place: several occurrences are ambiguous unless exactly that many are expected, and then
 * the first is replaced. Replacing all goes from left to right without overlaps (`aa` in `aaa` once), and so the
 * number expected there is the number of replacements, not of overlapping places.
 */
export function replaceText(text: string, order: ReplaceOrder): ReplacedNow | ReplaceFailure {
  const outcome = runAtOnce(replaceSteps(text, order));
  if (!outcome.ok) return outcome;
  return { ok: true, text: outcome.replaced.toString(), replacements: outcome.replacements };
}

export function* replaceSteps(text: string, order: ReplaceOrder): Steps<ReplaceOutcome> {
  const { find, all = false, expected } = order;
  const splice = new Splice(text, order);
  const { count, spans } = yield* findIn(new Haystack(text), find, {
    max: MAX_LISTED_LINES,
    overlaps: !all,
    onSpan: splice.add,
  });
  if (count === 0) return { ok: false, kind: 'not_found', count: 0, lines: [] };
  if (expected !== undefined && expected !== count) {
    return { ok: false, kind: 'count_mismatch', count, expected, lines: yield* linesOf(text, spans) };
  }
  if (!all && expected === undefined && count > 1) {
    return { ok: false, kind: 'ambiguous', count, lines: yield* linesOf(text, spans) };
  }
  return { ok: true, replaced: splice, replacements: all ? count : 1 };
}

/** Every occurrence is counted; the spans of the first `max` are kept. */
export function findOccurrences(text: string, wanted: string, options: FindOptions = {}): Occurrences {
  return runAtOnce(findIn(new Haystack(text), wanted, options));
}

/** As `findOccurrences`, for a text that is searched more than once. */
export function* findIn(haystack: Haystack, wanted: string, options: FindOptions = {}): Steps<Occurrences> {
  const exact = new Tally(options, 'as_given');
  yield* haystack.eachExact(wanted, exact.add);
  if (exact.count > 0 || !toleratesCrlf(wanted)) return exact.result();
  const folded = new Tally(options, 'crlf');
  yield* haystack.eachFolded(wanted, folded.add);
  return folded.result();
}

export function toleratesCrlf(wanted: string): boolean {
  return wanted.includes('\n') && !wanted.includes('\r\n');
}

/** Every `\n` becomes `\r\n`, unless it already is one. */
export function toCrlf(text: string): string {
  return foldLineEnds(text).split('\n').join('\r\n');
}

export function crlfSteps(text: string): Steps<string> {
  return mapPieces(text, '\r\n', toCrlf);
}

export const MAX_LISTED_LINES = 100;

export interface ReplaceOrder {
  readonly find: string;
  readonly replace: string;
  readonly all?: boolean | undefined;
  /** How many occurrences (with `all`: replacements) there have to be. */
  readonly expected?: number | undefined;
  /** Of a text that would be longer, only the size is told. */
  readonly maxLength?: number | undefined;
}

/** A text that is put together when somebody asks for it. */
export interface ReplacedText {
  readonly size: TextSize;
  toString(): string;
}

/** How long a text is: in UTF-16 units, and in the bytes of UTF-8. */
export interface TextSize {
  readonly units: number;
  readonly bytes: number;
}

export type ReplaceOutcome =
  | { readonly ok: true; readonly replaced: ReplacedText; readonly replacements: number }
  | ReplaceFailure;

export interface ReplacedNow {
  readonly ok: true;
  readonly text: string;
  readonly replacements: number;
}

/** `count` is exact; `lines` are those of the first 100 occurrences, in order, one entry for each. */
export type ReplaceFailure =
  | { readonly ok: false; readonly kind: 'not_found'; readonly count: 0; readonly lines: number[] }
  | { readonly ok: false; readonly kind: 'ambiguous'; readonly count: number; readonly lines: number[] }
  | {
      readonly ok: false;
      readonly kind: 'count_mismatch';
      readonly count: number;
      readonly expected: number;
      readonly lines: number[];
    };

export interface FindOptions {
  /** How many spans to keep at most; all of them by default. */
  readonly max?: number;
  /** Whether occurrences may overlap, which is the default. */
  readonly overlaps?: boolean;
  /** Hears of each occurrence that is counted. */
  readonly onSpan?: (start: number, end: number, lineEnds: Occurrences['lineEnds']) => void;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Occurrences {
  readonly count: number;
  readonly spans: readonly Span[];
  /** `crlf`: found only by reading the text's `\r\n` as `\n`; a replacement has to take them. */
  readonly lineEnds: 'as_given' | 'crlf';
}

class Tally {
  count = 0;
  readonly #spans: Span[] = [];
  readonly #options: FindOptions;
  readonly #lineEnds: Occurrences['lineEnds'];
  #end = 0;

  constructor(options: FindOptions, lineEnds: Occurrences['lineEnds']) {
    this.#options = options;
    this.#lineEnds = lineEnds;
  }

  readonly add = (start: number, end: number): void => {
    const { max = Number.POSITIVE_INFINITY, overlaps = true, onSpan } = this.#options;
    if (!overlaps && start < this.#end) return;
    this.#end = end;
    if (this.count++ < max) this.#spans.push({ start, end });
    onSpan?.(start, end, this.#lineEnds);
  };

  result(): Occurrences {
    return { count: this.count, spans: this.#spans, lineEnds: this.#lineEnds };
  }
}

function* linesOf(text: string, spans: readonly Span[]): Steps<number[]> {
  const index = new LineIndex(text);
  yield* index.prepare();
  return spans.slice(0, MAX_LISTED_LINES).map(({ start }) => index.lineAt(start));
}

/** The text with its first or all occurrences replaced, gathered while they are found: there may be millions. */
class Splice implements ReplacedText {
  readonly #text: string;
  readonly #order: ReplaceOrder;
  readonly #done: string[] = [];
  #parts: string[] = [];
  #end = 0;
  #replacement: string | undefined;
  #count = 0;
  /** What was taken out; each carriage return in it that was not asked for is a byte. */
  #removed = 0;

  constructor(text: string, order: ReplaceOrder) {
    this.#text = text;
    this.#order = order;
  }

  readonly add = (start: number, end: number, lineEnds: Occurrences['lineEnds']): void => {
    const { replace, all, maxLength = Number.POSITIVE_INFINITY } = this.#order;
    if (!all && this.#count > 0) return;
    this.#replacement ??= lineEnds === 'crlf' ? toCrlf(replace) : replace;
    this.#count++;
    this.#removed += end - start;
    if (this.#units > maxLength) return;
    this.#parts.push(this.#text.slice(this.#end, start), this.#replacement);
    this.#end = end;
    if (this.#parts.length < PARTS_PER_JOIN) return;
    this.#done.push(this.#parts.join(''));
    this.#parts = [];
  };

  get size(): TextSize {
    const { find } = this.#order;
    const returns = this.#removed - this.#count * find.length;
    const removed = this.#count * utf8Length(find) + returns;
    return {
      units: this.#units,
      bytes: utf8Length(this.#text) - removed + this.#count * utf8Length(this.#replacement ?? ''),
    };
  }

  toString(): string {
    if (this.#units > (this.#order.maxLength ?? this.#units)) throw new RangeError('The text is longer than allowed');
    return [...this.#done, ...this.#parts, this.#text.slice(this.#end)].join('');
  }

  get #units(): number {
    return this.#text.length - this.#removed + this.#count * (this.#replacement?.length ?? 0);
  }
}

const PARTS_PER_JOIN = 16_384;
