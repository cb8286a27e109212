/** What `edit_text_file` and `multi_edit_text_file` share: staging edits on a text, and the faults when one fails. */
import { Fault } from '../../contract/fault';
import type { Change, EditedText, JailedPath } from '../../contract/ports';
import { LineIndex } from '../../text/lines';
import { explainSteps } from '../../text/match-help/explain-mismatch';
import { applySteps, type EditFailure, rangeSteps, type StagedEdit, type StagedEdits } from '../../text/staged-file';
import { runGently, type Steps } from '../../text/steps';
import { diffSteps } from '../../text/unified-diff';

export interface Staged {
  readonly diff: string;
  readonly ranges: readonly { start: number; end: number }[];
}

export async function stageEdits(
  path: JailedPath,
  given: EditedText,
  edits: readonly StagedEdit[],
): Promise<Change<Staged>> {
  return (await stageInExcerpt(path, given, edits)) ?? stageInWhole(path, await given.whole(), edits);
}

/** One edit that fits, as most do: nothing but the lines around it has to be looked at. */
async function stageInExcerpt(
  path: JailedPath,
  given: EditedText,
  edits: readonly StagedEdit[],
): Promise<Change<Staged> | undefined> {
  const [only, second] = edits;
  const within = only && !second ? await given.around(only.old_string) : undefined;
  if (!within) return undefined;
  const staged = await runGently(applySteps(within.text, edits));
  if (!staged.ok) return undefined;
  return {
    get text() {
      return within.inPlace(staged.text);
    },
    changes: staged.changes,
    within,
    tell: () => runGently(tellSteps(baseName(path), within.text, staged, within.linesBefore())),
  };
}

async function stageInWhole(path: JailedPath, original: string, edits: readonly StagedEdit[]): Promise<Change<Staged>> {
  const staged = await runGently(applySteps(original, edits));
  if (!staged.ok) throw await faultOf(path, staged.failure, edits);
  const tell = () => runGently(tellSteps(baseName(path), original, staged));
  const told = original.length > MAX_TOLD_LATER ? await tell() : undefined;
  return {
    get text() {
      return staged.text;
    },
    changes: staged.changes,
    tell: () => told ?? tell(),
  };
}

/** The diff of a longer text may be too long for any text: that must come out before the file is changed. */
const MAX_TOLD_LATER = 64 * 1_048_576;

function* tellSteps(
  name: string,
  original: string,
  { matches, changes }: Extract<StagedEdits, { ok: true }>,
  linesBefore?: Steps<number>,
): Steps<Staged> {
  const lines = new LineIndex(original, linesBefore ? yield* linesBefore : 0);
  return { ranges: yield* rangeSteps(matches, lines), diff: yield* diffSteps(name, original, changes, lines) };
}

async function faultOf(path: JailedPath, failure: EditFailure, edits: readonly StagedEdit[]): Promise<Fault> {
  const { index } = failure;
  const { old_string = '', new_string } = edits[index] ?? {};
  const at = { path: path.shown, index, old_string };
  switch (failure.kind) {
    case 'not_found':
      return new Fault('string_not_found', {
        ...at,
        help: { ...(await runGently(explainSteps(failure.text, old_string, new_string))) },
      });
    case 'not_unique':
      return new Fault('string_not_unique', { ...at, count: failure.count, lines: failure.lines });
    case 'conflict':
      return new Fault('edit_conflict', { ...at, prior_index: failure.prior_index });
  }
}

function baseName(path: JailedPath): string {
  return path.shown.split(/[/\\]/).findLast((segment) => segment !== '') ?? path.shown;
}
