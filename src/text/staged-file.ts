import { ChangeList, type OriginalSpan, type TextChange } from './change-list';
import { crlfSteps, type Occurrences, type Span } from './find-replace';
import { firstIndex } from './first-index';
import { LineIndex } from './lines';
import type { MovedLine } from './piece';
import { MANY, StagedSearch } from './staged-search';
import { runAtOnce, type Steps } from './steps';

/**
 * Edits one after the other, each on the text that the ones before it made, where its `old_string` has to occur
 * exactly once (overlaps counted, line ends tolerated as in find-replace).
 *
 * The staged text is never built in between (see change-list), and each string is searched where it can be (see
 * staged-search).
 *
 * A string that is gone was lost to an earlier edit when one of its occurrences in the original overlaps what that edit
 * took out of the original or parted. The first such edit is named, those that looked for the very same string aside.
 */
export function applyEdits(original: string, edits: readonly StagedEdit[]): AppliedEdits {
  const staged = runAtOnce(applySteps(original, edits));
  if (!staged.ok) return staged;
  const { ok, text, matches, changes } = staged;
  return { ok, text, ranges: runAtOnce(rangeSteps(matches, new LineIndex(original))), changes };
}

/** The lines of the matches are left for whoever wants to tell them (see `rangeSteps`). */
export function* applySteps(original: string, edits: readonly StagedEdit[]): Steps<StagedEdits> {
  if (edits.length >= MANY) keepSpecimen();
  return (yield* stageSteps(original, edits)).outcome;
}

function* stageSteps(original: string, edits: readonly StagedEdit[]): Steps<Staging> {
  const staged = new ChangeList(original);
  const search = yield* StagedSearch.prepare(
    staged,
    edits.map(({ old_string }) => old_string),
  );
  const losses: OriginalSpan[][] = [];
  return { staged, search, losses, outcome: yield* outcomeSteps(edits, { staged, search, losses }) };
}

interface Staging extends Stage {
  readonly outcome: StagedEdits;
}

const specimens: Staging[] = [];
const MAX_SPECIMENS = 3;

/**
 * With the last object of a shape the engine throws away the code that it compiled for it, when garbage is collected in
 * a pause. So one of each is kept, of a few lines: a hundred edits, a few times between pauses, take a quarter less time.
 * Some shapes are final only when other texts have been edited; so more are made in the next calls.
 */
function keepSpecimen(): void {
  if (specimens.length === MAX_SPECIMENS) return;
  const lines = Array.from({ length: MANY }, (_, line) => `line ${line} of a specimen`);
  const edits = lines.map((line) => ({ old_string: line, new_string: line.replace('of', 'in') }));
  specimens.push(runAtOnce(stageSteps(lines.join('\n'), edits)));
}

interface Stage {
  readonly staged: ChangeList;
  readonly search: StagedSearch;
  /** What each edit so far took from the original. */
  readonly losses: OriginalSpan[][];
}

function* outcomeSteps(edits: readonly StagedEdit[], { staged, search, losses }: Stage): Steps<StagedEdits> {
  const matches: MovedRange[] = [];
  for (const [index, { old_string, new_string }] of edits.entries()) {
    const { count, spans, lineEnds } = yield* search.find(old_string);
    const [span] = spans;
    if (span === undefined) {
      // Where nothing was lost, nobody has to look for who lost it.
      const there = losses.length > 0 ? yield* search.findInOriginal(old_string) : undefined;
      const prior_index = there && findCulprit(there, old_string, edits, losses);
      if (prior_index !== undefined) return { ok: false, failure: { kind: 'conflict', index, prior_index } };
      return { ok: false, failure: { kind: 'not_found', index, old_string, text: staged.toString() } };
    }
    if (count > 1) {
      const lines = yield* linesOf(
        spans.map(({ start }) => staged.lineAt(start)),
        new LineIndex(staged.original),
      );
      return { ok: false, failure: { kind: 'not_unique', index, count, lines } };
    }
    matches.push({ start: staged.lineAt(span.start), end: staged.lineAt(span.end - 1) });
    const text = lineEnds === 'crlf' ? yield* crlfSteps(new_string) : new_string;
    const { lost, place } = yield* staged.replace(span, text);
    losses.push(lost);
    yield* search.notice(place);
    yield;
  }
  const changes = staged.toChanges();
  let text: string | undefined;
  return {
    ok: true,
    get text() {
      text ??= staged.toString();
      return text;
    },
    matches,
    changes,
  };
}

/** For each match the lines that have a character of it, in the text just before its edit. `lines`: of the original. */
export function* rangeSteps(matches: readonly MovedRange[], lines: LineIndex): Steps<LineRange[]> {
  const starts = yield* linesOf(
    matches.map(({ start }) => start),
    lines,
  );
  const ends = yield* linesOf(
    matches.map(({ end }) => end),
    lines,
  );
  return starts.map((start, at) => ({ start, end: ends[at] ?? start }));
}

function* linesOf(moved: readonly MovedLine[], lines: LineIndex): Steps<number[]> {
  yield* lines.prepare(moved.reduce((last, { from }) => Math.max(last, from), 0));
  return moved.map(({ from, by }) => lines.lineAt(from) + by);
}

export interface StagedEdit {
  readonly old_string: string;
  readonly new_string: string;
}

interface MovedRange {
  readonly start: MovedLine;
  readonly end: MovedLine;
}

/** 1-based and inclusive, a line end counting as the line's. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export type StagedEdits =
  | {
      readonly ok: true;
      /** Made when it is first asked for: whoever has the old bytes needs the changes alone. */
      readonly text: string;
      /** For each edit, where its match stood (see `rangeSteps`). */
      readonly matches: readonly MovedRange[];
      readonly changes: TextChange[];
    }
  | { readonly ok: false; readonly failure: EditFailure };

export type AppliedEdits =
  | {
      readonly ok: true;
      readonly text: string;
      readonly ranges: LineRange[];
      readonly changes: TextChange[];
    }
  | { readonly ok: false; readonly failure: EditFailure };

/** `text` is the text in which the string was not found; `lines` are those of the first 100 occurrences. */
export type EditFailure =
  | { readonly kind: 'not_found'; readonly index: number; readonly old_string: string; readonly text: string }
  | { readonly kind: 'not_unique'; readonly index: number; readonly count: number; readonly lines: number[] }
  | { readonly kind: 'conflict'; readonly index: number; readonly prior_index: number };

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
