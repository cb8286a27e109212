import { LineIndex } from './lines';
import { Haystack } from './occurrences';

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
export function replaceText(text: string, order: ReplaceOrder): ReplaceOutcome {
  const { find, replace, all = false, expected } = order;
  const found = findOccurrences(text, find, all ? { overlaps: false } : { max: MAX_LISTED_LINES });
  const { count, spans } = found;
  const first = spans[0];
  if (first === undefined) return { ok: false, kind: 'not_found', count: 0, lines: [] };
  if (expected !== undefined && expected !== count) {
    return { ok: false, kind: 'count_mismatch', count, expected, lines: linesOf(text, spans) };
  }
  if (!all && expected === undefined && count > 1) {
    return { ok: false, kind: 'ambiguous', count, lines: linesOf(text, spans) };
  }
  const places = all ? spans : [first];
  const replacement = found.lineEnds === 'crlf' ? toCrlf(replace) : replace;
  return { ok: true, text: splice(text, places, replacement), replacements: places.length };
}

/** Every occurrence is counted; the spans of the first `max` are kept. */
export function findOccurrences(text: string, wanted: string, options: FindOptions = {}): Occurrences {
  return findIn(new Haystack(text), wanted, options);
}

/** As `findOccurrences`, for a text that is searched more than once. */
export function findIn(haystack: Haystack, wanted: string, options: FindOptions = {}): Occurrences {
  const exact = new Tally(options);
  haystack.eachExact(wanted, exact.add);
  if (exact.count > 0 || !toleratesCrlf(wanted))
    return { count: exact.count, spans: exact.spans, lineEnds: 'as_given' };
  const folded = new Tally(options);
  haystack.eachFolded(wanted, folded.add);
  return { count: folded.count, spans: folded.spans, lineEnds: 'crlf' };
}

export function toleratesCrlf(wanted: string): boolean {
  return wanted.includes('\n') && !wanted.includes('\r\n');
}

/** Every `\n` becomes `\r\n`, unless it already is one. */
export function toCrlf(text: string): string {
  return text.replace(/(?<!\r)\n/g, '\r\n');
}

export const MAX_LISTED_LINES = 100;

export interface ReplaceOrder {
  readonly find: string;
  readonly replace: string;
  readonly all?: boolean | undefined;
  /** How many occurrences (with `all`: replacements) there have to be. */
  readonly expected?: number | undefined;
}

/** `count` is exact; `lines` are those of the first 100 occurrences, in order, one entry for each. */
export type ReplaceOutcome =
  | { readonly ok: true; readonly text: string; readonly replacements: number }
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
  readonly spans: Span[] = [];
  readonly #max: number;
  readonly #overlaps: boolean;
  #end = 0;

  constructor({ max = Number.POSITIVE_INFINITY, overlaps = true }: FindOptions) {
    this.#max = max;
    this.#overlaps = overlaps;
  }

  readonly add = (start: number, end: number): void => {
    if (!this.#overlaps && start < this.#end) return;
    this.#end = end;
    if (this.count++ < this.#max) this.spans.push({ start, end });
  };
}

function linesOf(text: string, spans: readonly Span[]): number[] {
  const index = new LineIndex(text);
  return spans.slice(0, MAX_LISTED_LINES).map(({ start }) => index.lineAt(start));
}

function splice(text: string, places: readonly Span[], replacement: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of places) {
    parts.push(text.slice(done, start), replacement);
    done = end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}
