/** What `edit_text_file` and `multi_edit_text_file` share: staging edits on a text, and the faults when one fails. */
import { Fault } from '../../contract/fault';
import type { Change, EditedText, JailedPath } from '../../contract/ports';
import { type LongText, shortOrLong } from '../../text/long-text';
import { headOf } from '../../text/pieced-text';
import { stageKnown } from '../../text/stage-known';
import { applySteps, type LineRange, type StagedEdit } from '../../text/staged-file';
import {
  type ExplainedFailure,
  explainFailure,
  type OrderedEdit,
  type StagingOrder,
  type Told,
  tellSteps,
} from '../../text/staging';
import { runGently, type Steps } from '../../text/steps';

export interface Staged {
  readonly diff: string | LongText;
  readonly ranges: readonly LineRange[];
}

/** Where the least has to be looked at, and nobody waits for it. */
export async function stageEdits(
  path: JailedPath,
  given: EditedText,
  edits: StagingOrder['edits'],
): Promise<Change<Staged>> {
  const order = { name: baseName(path), edits };
  return (
    (await stageInExcerpt(given, order)) ??
    (await stageAside(path, given, order)) ??
    stageInWhole(path, await given.whole(), order)
  );
}

/** One edit that fits, as most do: nothing but the lines around it has to be looked at. */
async function stageInExcerpt(given: EditedText, { name, edits }: StagingOrder): Promise<Change<Staged> | undefined> {
  const [only, second] = edits;
  if (!only || second || only.new_string.length > MAX_IN_EXCERPT || only.old_string.length > MAX_IN_EXCERPT)
    return undefined;
  const edit = wholeEdit(only);
  const within = await given.around(edit.old_string);
  if (!within) return undefined;
  const staged = stageKnown(within, edit);
  return {
    get text() {
      return within.inPlace(staged.text);
    },
    changes: staged.changes,
    within,
    tell: () => tell(tellSteps(name, within.text, staged, within.linesBefore())),
  };
}

/** A longer one makes a long diff. */
const MAX_IN_EXCERPT = 1_048_576;

async function stageAside(
  path: JailedPath,
  given: EditedText,
  order: StagingOrder,
): Promise<Change<Staged> | undefined> {
  const staged = await given.aside(order);
  if (!staged) return undefined;
  if (!staged.ok) throw faultOf(path, staged.failure, order);
  const { splices, ranges, diff } = staged;
  return {
    get text() {
      return staged.text;
    },
    splices,
    tell: () => ({ ranges, diff: shortOrLong(diff) }),
  };
}

async function stageInWhole(path: JailedPath, original: string, order: StagingOrder): Promise<Change<Staged>> {
  const { name } = order;
  const edits = order.edits.map(wholeEdit);
  const staged = await runGently(applySteps(original, edits));
  if (!staged.ok) throw faultOf(path, await runGently(explainFailure(staged.failure, edits)), order);
  const tellIt = () => tell(tellSteps(name, original, staged));
  const told = original.length > MAX_TOLD_LATER ? await tellIt() : undefined;
  return {
    get text() {
      return staged.text;
    },
    changes: staged.changes,
    tell: () => told ?? tellIt(),
  };
}

/** The diff of a longer text may be too long for any text: that must come out before the file is changed. */
const MAX_TOLD_LATER = 64 * 1_048_576;

async function tell(steps: Steps<Told>): Promise<Staged> {
  const { ranges, diff } = await runGently(steps);
  return { ranges, diff: diff.join('') };
}

function faultOf(path: JailedPath, failure: ExplainedFailure, { edits }: StagingOrder): Fault {
  const { index } = failure;
  const at = { path: path.shown, index, old_string: headOf(edits[index]?.old_string ?? '') };
  switch (failure.kind) {
    case 'not_found':
      return new Fault('string_not_found', { ...at, help: { ...failure.help } });
    case 'not_unique':
      return new Fault('string_not_unique', { ...at, count: failure.count, lines: failure.lines });
    case 'conflict':
      return new Fault('edit_conflict', { ...at, prior_index: failure.prior_index });
  }
}

function wholeEdit({ old_string, new_string }: OrderedEdit): StagedEdit {
  return { old_string: old_string.toString(), new_string: new_string.toString() };
}

function baseName(path: JailedPath): string {
  return path.shown.split(/[/\\]/).findLast((segment) => segment !== '') ?? path.shown;
}
