/** What `edit_file` makes of a text, and the faults when it cannot. */
import { Fault } from '../../contract/fault';
import type { Change, EditedText, JailedPath } from '../../contract/ports';
import { utf8Length } from '../../text/encoding';
import { type ReplaceOrder, type ReplaceOutcome, replaceSteps } from '../../text/find-replace';
import { explainSteps } from '../../text/match-help/explain-mismatch';
import { headOf, type Text } from '../../text/pieced-text';
import { runGently } from '../../text/steps';
import { MAX_FILE_BYTES } from './limits';

interface ReplacementOrder extends Pick<ReplaceOrder, 'all' | 'expected'> {
  readonly find: Text;
  readonly replace: Text;
}

export async function stageReplacement(
  { shown: path }: JailedPath,
  given: EditedText,
  { find: sought, replace: replacement, ...order }: ReplacementOrder,
): Promise<Change<number>> {
  const [find, replace] = [joined(sought), joined(replacement)];
  if (typeof replace !== 'string')
    throw new Fault('too_large', { path, bytes: utf8Length(replace), limit: MAX_FILE_BYTES });
  const text = await given.whole();
  const outcome: ReplaceOutcome =
    typeof find === 'string'
      ? await runGently(replaceSteps(text, { ...order, find, replace, maxLength: MAX_FILE_BYTES }))
      : NOT_FOUND;
  if (outcome.ok) {
    const { replaced, replacements } = outcome;
    return {
      size: replaced.size,
      get text() {
        return replaced.toString();
      },
      tell: () => replacements,
    };
  }
  const { count, lines } = outcome;
  if (count > 0) throw new Fault('count_mismatch', { path, count, expected: order.expected ?? 1, lines });
  const wanted = headOf(find);
  const help = await runGently(explainSteps(text, wanted, replace));
  throw new Fault('string_not_found', { path, old_string: wanted, help: { ...help } });
}

/** What stays in pieces is longer than any file here. */
function joined(text: Text): Text {
  return text.length <= MAX_JOINED_CHARACTERS ? text.toString() : text;
}

const MAX_JOINED_CHARACTERS = 4 * MAX_FILE_BYTES;
const NOT_FOUND: ReplaceOutcome = { ok: false, kind: 'not_found', count: 0, lines: [] };
