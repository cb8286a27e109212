/** What `edit_text_file` and `multi_edit_text_file` share: staging edits on a text, and the faults when one fails. */
import { Fault } from '../../contract/fault';
import type { Change, JailedPath } from '../../contract/ports';
import { LineIndex } from '../../text/lines';
import { explainSteps } from '../../text/match-help/explain-mismatch';
import { applySteps, type EditFailure, type StagedEdit } from '../../text/staged-file';
import { runGently } from '../../text/steps';
import { diffSteps } from '../../text/unified-diff';

export interface Staged {
  readonly diff: string;
  readonly ranges: readonly { start: number; end: number }[];
}

export async function stageEdits(
  path: JailedPath,
  original: string,
  edits: readonly StagedEdit[],
): Promise<Change<Staged>> {
  const lines = new LineIndex(original);
  const staged = await runGently(applySteps(original, edits, lines));
  if (!staged.ok) throw await faultOf(path, staged.failure, edits);
  const diff = await runGently(diffSteps(baseName(path), original, staged.changes, lines));
  return {
    get text() {
      return staged.text;
    },
    changes: staged.changes,
    result: { diff, ranges: staged.ranges },
  };
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
