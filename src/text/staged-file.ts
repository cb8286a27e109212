import { ChangeList, type OriginalSpan, type TextChange } from './change-list';
import { findIn, MAX_LISTED_LINES, type Occurrences, type Span, toCrlf, toleratesCrlf } from './find-replace';
import { firstIndex } from './first-index';
import { countLineEnds } from './lines';
import { Haystack } from './occurrences';

/**
 * Edits one after the other, each on the text that the ones before it made, where its `old_string` has to occur
 * exactly once (overlaps counted, line ends tolerated as in find-replace).
 *
 * The staged text is never built in between. It is the original and a list of changes, and so an occurrence in it
 * either lies in an untouched stretch of the original, or borders or overlaps a change. The first kind is found by
 * searching the original, the second by searching the neighbourhoods of the changes, joined into one short sheet.
 *
 * A string that is gone was lost to an earlier edit when one of its occurrences in the original overlaps what that edit
 * took out of the original or parted. The first such edit is named, those that looked for the very same string aside.
 */
export function applyEdits(original: string, edits: readonly StagedEdit[]): StagedEdits {
  const haystack = new Haystack(original);
  const staged = new ChangeList(original);
  const ranges: LineRange[] = [];
  const losses: OriginalSpan[][] = [];
  for (const [index, { old_string, new_string }] of edits.entries()) {
    const { count, spans, lineEnds } = findStaged(haystack, staged, old_string);
    const [span] = spans;
    if (span === undefined) {
      const prior_index = findCulprit(findIn(haystack, old_string), old_string, edits, losses);
      if (prior_index !== undefined) return { ok: false, failure: { kind: 'conflict', index, prior_index } };
      return { ok: false, failure: { kind: 'not_found', index, old_string, text: staged.toString() } };
    }
    if (count > 1) {
      const lines = spans.map(({ start }) => staged.lineAt(start));
      return { ok: false, failure: { kind: 'not_unique', index, count, lines } };
    }
    ranges.push({ start: staged.lineAt(span.start), end: staged.lineAt(span.end - 1) });
    losses.push(staged.replace(span, lineEnds === 'crlf' ? toCrlf(new_string) : new_string));
  }
  return { ok: true, text: staged.toString(), ranges, changes: staged.toChanges() };
}

export interface StagedEdit {
  readonly old_string: string;
  readonly new_string: string;
}

/** 1-based and inclusive: the lines that have a character of the match, the line end counting as the line's. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export type StagedEdits =
  | {
      readonly ok: true;
      readonly text: string;
      /** For each edit, the lines of its match in the text just before it. */
      readonly ranges: LineRange[];
      readonly changes: TextChange[];
    }
  | { readonly ok: false; readonly failure: EditFailure };

/** `text` is the text in which the string was not found; `lines` are those of the first 100 occurrences. */
export type EditFailure =
  | { readonly kind: 'not_found'; readonly index: number; readonly old_string: string; readonly text: string }
  | { readonly kind: 'not_unique'; readonly index: number; readonly count: number; readonly lines: number[] }
  | { readonly kind: 'conflict'; readonly index: number; readonly prior_index: number };

function findStaged(original: Haystack, staged: ChangeList, wanted: string): Occurrences {
  const exact = search(original, staged, wanted, { by: 'eachExact', reach: wanted.length });
  if (exact.count > 0 || !toleratesCrlf(wanted)) return { ...exact, lineEnds: 'as_given' };
  const reach = wanted.length + countLineEnds(wanted);
  return { ...search(original, staged, wanted, { by: 'eachFolded', reach }), lineEnds: 'crlf' };
}

interface Way {
  readonly by: 'eachExact' | 'eachFolded';
  /** The greatest length of a match. */
  readonly reach: number;
}

function search(original: Haystack, staged: ChangeList, wanted: string, way: Way): { count: number; spans: Span[] } {
  const untouched: Span[] = [];
  const touched: Span[] = [];
  let count = 0;
  original[way.by](wanted, (from, to) => {
    const start = staged.whereIs(from, to);
    if (start === undefined) return;
    count++;
    if (untouched.length < MAX_LISTED_LINES) untouched.push({ start, end: start + to - from });
  });
  eachTouched(staged, wanted, way, (span) => {
    count++;
    if (touched.length < MAX_LISTED_LINES) touched.push(span);
  });
  const spans = [...untouched, ...touched].sort((one, other) => one.start - other.start);
  return { count, spans: spans.slice(0, MAX_LISTED_LINES) };
}

/** Visits the occurrences that border or overlap a change. */
function eachTouched(staged: ChangeList, wanted: string, way: Way, visit: (span: Span) => void): void {
  // One more than a match can reach, so that the character next to it is seen too: it may be half of a line end.
  const places = staged.neighbourhoods(way.reach + 1);
  let length = 0;
  const starts = places.map(({ text }) => {
    const start = length;
    length += text.length + SEPARATOR.length;
    return start;
  });
  const sheet = new Haystack(places.map(({ text }) => text).join(SEPARATOR));
  sheet[way.by](wanted, (from, to) => {
    const index = firstIndex(starts, (start) => start > from) - 1;
    const place = places[index];
    const offset = starts[index];
    if (place === undefined || offset === undefined || to - offset > place.text.length) return;
    const span = { start: place.start + from - offset, end: place.start + to - offset };
    if (staged.touches(span)) visit(span);
  });
}

/** Keeps a line end from forming between two neighbourhoods; matches across it are dropped anyway. */
const SEPARATOR = '\0';

function findCulprit(
  { spans }: Occurrences,
  old_string: string,
  edits: readonly StagedEdit[],
  losses: readonly OriginalSpan[][],
): number | undefined {
  const index = losses.findIndex((lost, prior) => {
    return edits[prior]?.old_string !== old_string && lost.some((span) => overlapsAny(spans, span));
  });
  return index === -1 ? undefined : index;
}

/** Both the starts and the ends of the spans ascend. */
function overlapsAny(spans: readonly Span[], { start, end }: OriginalSpan): boolean {
  const span = spans[firstIndex(spans, (candidate) => candidate.end > start)];
  return span !== undefined && span.start < end;
}
