import type { Excerpt } from './excerpt';
import type { StagedEdit } from './staged-file';
import type { EditsDone } from './staging';
import { trimCommon } from './trim-common';

/**
 * One edit whose string is known to stand in a text once, and where. To search for it again, on a list of changes that
 * might be a thousand, takes longer than all else that an edit of one line has to think about.
 */
export function stageKnown(
  { text, at }: Pick<Excerpt, 'text' | 'at'>,
  { old_string, new_string }: StagedEdit,
): EditsDone {
  const { lead, tail } = trimCommon(old_string, new_string);
  const [start, end] = [at + lead, at + old_string.length - tail];
  const added = new_string.slice(lead, new_string.length - tail);
  return {
    ok: true,
    get text() {
      return text.slice(0, start) + added + text.slice(end);
    },
    matches: [{ start: { from: at, by: 0 }, end: { from: at + old_string.length - 1, by: 0 } }],
    changes: [{ start, end, text: added }],
  };
}
