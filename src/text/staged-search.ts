import type { ChangeList, PlacedChange } from './change-list';
import { findIn, MAX_LISTED_LINES, type Occurrences, type Span, toleratesCrlf } from './find-replace';
import { firstIndex } from './first-index';
import { lineEndSteps } from './lines';
import { Needles } from './needles';
import { foldLineEnds, Haystack } from './occurrences';
import { runAtOnce, type Steps } from './steps';

/**
 * Finds strings in a text under edit, which is an original and a list of changes.
 *
 * An occurrence either lies in an untouched stretch of the original, or borders or overlaps a change. The first kind is
 * found by searching the original, the second by searching the neighbourhoods of the changes, joined into one sheet.
 *
 * Where many strings are to come, both are prepared: one pass over the original finds the places of all of them, and
 * after each change one pass over its surroundings notes which of them stand there now. Their sheets are made of those
 * changes alone.
 */
export class StagedSearch {
  readonly #original: Haystack;
  readonly #staged: ChangeList;
  readonly #needles: Needles | undefined;
  readonly #reach: number;
  /** The changes at which a string stands, or once stood. */
  readonly #changesNear = new Map<string, Set<PlacedChange>>();

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

  /** Has to be told of every span that was put into the text, and the change that came of it. */
  *notice({ start, end }: Span, change: PlacedChange | undefined): Steps<void> {
    const needles = this.#needles;
    if (change === undefined || needles === undefined || this.#reach === 0) return;
    const around = this.#staged.slice(start - this.#reach, end + this.#reach);
    const note = (string: string) => addTo(this.#changesNear, string, change);
    for (const text of new Set([around, foldLineEnds(around)])) {
      if (!(yield* needles.find(text, note))) needles.strings.forEach(note);
    }
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
    const changes = this.#needles?.has(wanted) ? (this.#changesNear.get(wanted) ?? []) : undefined;
    if (changes === undefined && this.#staged.isUnchanged) return;
    const places = this.#staged.neighbourhoods(yield* reachOf(wanted), changes);
    if (places.length === 0) return;
    let length = 0;
    const starts = places.map(({ text }) => {
      const start = length;
      length += text.length + SEPARATOR.length;
      return start;
    });
    const sheet = new Haystack(places.map(({ text }) => text).join(SEPARATOR));
    yield* sheet[by](wanted, (from, to) => {
      const index = firstIndex(starts, (start) => start > from) - 1;
      const place = places[index];
      const offset = starts[index];
      if (place === undefined || offset === undefined || to - offset > place.text.length) return;
      const span = { start: place.start + from - offset, end: place.start + to - offset };
      if (this.#staged.touches(span)) visit(span);
    });
  }
}

/** From how many strings on it pays to look for all of them at once. */
const MANY = 24;

/** Keeps a line end from forming between two neighbourhoods; matches across it are dropped anyway. */
const SEPARATOR = '\0';

type Way = 'eachExact' | 'eachFolded';

/** The greatest length of a match, and one more: the character next to it is wanted too, it may be half a line end. */
function* reachOf(wanted: string): Steps<number> {
  return wanted.length + (yield* lineEndSteps(wanted)) + 1;
}

function addTo<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}
