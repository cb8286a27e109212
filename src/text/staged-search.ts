import type { ChangeList, CurrentSpan, Neighbourhood, Spot } from './change-list';
import { findIn, MAX_LISTED_LINES, type Occurrences, type Span, toleratesCrlf } from './find-replace';
import { firstIndex } from './first-index';
import { lineEndSteps } from './lines';
import { Needles } from './needles';
import { foldSteps, Haystack } from './occurrences';
import { runAtOnce, type Steps } from './steps';

/**
 * Finds strings in a text under edit, which is an original and a list of changes.
 *
 * An occurrence either lies in an untouched stretch of the original, or borders or overlaps a change. The first kind is
 * found by searching the original, the second by searching the neighbourhoods of the changes, joined into one sheet.
 *
 * Where many strings are to come, both are prepared: one pass over the original finds the places of all of them, and
 * after each change one pass over its surroundings notes where they stand there now. Their sheets are made of these
 * places alone.
 */
export class StagedSearch {
  readonly #original: Haystack;
  readonly #staged: ChangeList;
  /** Undefined too when they could not be found in what was changed. */
  #needles: Needles | undefined;
  readonly #reach: number;
  /** Where the strings stand that border or overlap a change, or once stood. */
  readonly #spots: Readonly<Record<Way, Map<string, Spot[]>>> = { eachExact: new Map(), eachFolded: new Map() };

  /** `wanted` are the strings to come. */
  static *prepare(staged: ChangeList, wanted: readonly string[]): Steps<StagedSearch> {
    if (wanted.length < MANY) return new StagedSearch(staged);
    const needles = new Needles(wanted);
    yield* needles.prepare();
    return new StagedSearch(staged, needles);
  }

  private constructor(staged: ChangeList, needles?: Needles) {
    this.#needles = needles;
    this.#reach = needles?.strings.reduce((most, string) => Math.max(most, runAtOnce(reachOf(string))), 0) ?? 0;
    this.#original = new Haystack(staged.original, needles);
    this.#staged = staged;
  }

  /** The occurrences in the text as it is now, line ends tolerated as in find-replace. */
  *find(wanted: string): Steps<Occurrences> {
    const exact = yield* this.#search(wanted, 'eachExact');
    if (exact.count > 0 || !toleratesCrlf(wanted)) return { ...exact, lineEnds: 'as_given' };
    return { ...(yield* this.#search(wanted, 'eachFolded')), lineEnds: 'crlf' };
  }

  findInOriginal(wanted: string): Steps<Occurrences> {
    return findIn(this.#original, wanted);
  }

  /** Has to be told of every place where something was put in or taken out. */
  *notice(place: CurrentSpan): Steps<void> {
    if (this.#needles === undefined || this.#reach === 0) return;
    const from = Math.max(0, place.start - this.#reach);
    const around = this.#staged.slice(from, place.end + this.#reach);
    const folded = yield* foldSteps(around);
    yield* this.#note('eachExact', around, (at) => from + at, place);
    if (folded) yield* this.#note('eachFolded', folded.text, (at) => from + folded.unfold(at), place);
  }

  *#note(by: Way, text: string, offsetOf: (at: number) => number, place: CurrentSpan): Steps<void> {
    const spots = this.#spots[by];
    const isComplete = yield* this.#needles?.find(text, (string, at) => {
      const [start, end] = [offsetOf(at), offsetOf(at + string.length)];
      if (start > place.end || end < place.start) return;
      const spot = this.#staged.spotAt(start);
      const known = spots.get(string);
      if (spot && known) known.push(spot);
      else if (spot) spots.set(string, [spot]);
    }) ?? [];
    if (isComplete === false) this.#needles = undefined;
  }

  *#search(wanted: string, by: Way): Steps<{ count: number; spans: Span[] }> {
    const untouched: Span[] = [];
    const touched: Span[] = [];
    let count = 0;
    yield* this.#original[by](wanted, (from, to) => {
      const start = this.#staged.whereIs(from, to);
      if (start === undefined) return;
      count++;
      if (untouched.length < MAX_LISTED_LINES) untouched.push({ start, end: start + to - from });
    });
    yield* this.#eachTouched(wanted, by, (span) => {
      count++;
      if (touched.length < MAX_LISTED_LINES) touched.push(span);
    });
    const spans = [...untouched, ...touched].sort((one, other) => one.start - other.start);
    return { count, spans: spans.slice(0, MAX_LISTED_LINES) };
  }

  /** Visits the occurrences that border or overlap a change. */
  *#eachTouched(wanted: string, by: Way, visit: (span: Span) => void): Steps<void> {
    const spots = this.#needles?.has(wanted) ? this.#spotsOf(wanted, by) : undefined;
    if (spots?.length === 0) return;
    const places = this.#staged.neighbourhoods(yield* reachOf(wanted), spots);
    if (places.length === 0) return;
    const { sheet, spanOf } = joined(places);
    const found: Spot[] = [];
    yield* sheet[by](wanted, (from, to) => {
      const span = spanOf(from, to);
      if (!span || !this.#staged.touches(span)) return;
      const spot = this.#staged.spotAt(span.start);
      if (spots && spot) found.push(spot);
      visit(span);
    });
    // What was not found stands nowhere else, until somebody puts it there.
    if (spots) this.#spots[by].set(wanted, found);
  }

  /** In order, those that are not gone. */
  #spotsOf(wanted: string, by: Way): CurrentSpan[] {
    const known = this.#spots[by].get(wanted);
    if (known === undefined) return [];
    const offsets = known.map((spot) => this.#staged.whereIsSpot(spot)).filter((offset) => offset !== undefined);
    return [...new Set(offsets)].sort((one, other) => one - other).map((at) => ({ start: at, end: at }));
  }
}

/** From how many strings on it pays to look for all of them at once. */
export const MANY = 24;

/** Keeps a line end from forming between two neighbourhoods; matches across it are dropped anyway. */
const SEPARATOR = '\0';

type Way = 'eachExact' | 'eachFolded';

/** The neighbourhoods on one sheet, and where a match on it is in the text: undefined, if it is in none. */
function joined(places: readonly Neighbourhood[]) {
  let length = 0;
  const starts = places.map(({ text }) => {
    const start = length;
    length += text.length + SEPARATOR.length;
    return start;
  });
  const spanOf = (from: number, to: number): Span | undefined => {
    const index = firstIndex(starts, (start) => start > from) - 1;
    const [place, offset] = [places[index], starts[index]];
    if (place === undefined || offset === undefined || to - offset > place.text.length) return undefined;
    return { start: place.start + from - offset, end: place.start + to - offset };
  };
  return { sheet: new Haystack(places.map(({ text }) => text).join(SEPARATOR)), spanOf };
}

/** The greatest length of a match, and one more: the character next to it is wanted too, it may be half a line end. */
function* reachOf(wanted: string): Steps<number> {
  return wanted.length + (yield* lineEndSteps(wanted)) + 1;
}
