/** Edits of one text, and all that there is to tell of them: the lines they met and the diff, or why one failed. */
import { LineIndex } from './lines';
import { explainSteps } from './match-help/explain-mismatch';
import type { MatchHelp } from './match-help/match-help';
import type { Text } from './pieced-text';
import { type EditFailure, type LineRange, rangeSteps, type StagedEdit, type StagedEdits } from './staged-file';
import type { Steps } from './steps';
import { diffParts } from './unified-diff';

export interface StagingOrder {
  /** What the diff calls the file. */
  readonly name: string;
  readonly edits: readonly OrderedEdit[];
}

/** Its texts come in pieces where they are very long. */
export interface OrderedEdit {
  readonly old_string: Text;
  readonly new_string: Text;
}

export type EditsDone = Extract<StagedEdits, { ok: true }>;

export interface Told {
  readonly ranges: LineRange[];
  /** The diff, in parts that part no character: it may be longer than a text can be. */
  readonly diff: readonly string[];
}

/** `linesBefore`: where the original is a part of another text. */
export function* tellSteps(
  name: string,
  original: string,
  { matches, changes }: EditsDone,
  linesBefore?: Steps<number>,
): Steps<Told> {
  const lines = new LineIndex(original, linesBefore ? yield* linesBefore : 0);
  return { ranges: yield* rangeSteps(matches, lines), diff: yield* diffParts(name, original, changes, lines) };
}

/** A failure with what helps the next try, in the place of the text in which nothing was found. */
export type ExplainedFailure =
  | { readonly kind: 'not_found'; readonly index: number; readonly help: MatchHelp }
  | Exclude<EditFailure, { kind: 'not_found' }>;

export function* explainFailure(failure: EditFailure, edits: readonly StagedEdit[]): Steps<ExplainedFailure> {
  if (failure.kind !== 'not_found') return failure;
  const { kind, index, old_string, text } = failure;
  return { kind, index, help: yield* explainSteps(text, old_string, edits[index]?.new_string) };
}
