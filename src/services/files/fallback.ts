/**
 * When an error of the editor may go on to the disk. Only when the editor *cannot*, never when it *would not*: what a
 * person denied in the editor must not be read or written behind the editor's back.
 *
 * The numbers are the editor protocol's own; its -32002 means "not found", ours means "permission denied".
 */
import type { EditorError } from '../../contract/editor';

export type Verdict = 'disk' | 'denied' | 'failed';

const METHOD_NOT_FOUND = -32601;
const RESOURCE_NOT_FOUND = -32002;
/** Editors have no number for a denial; they say it. */
const DENIAL = /\b(?:den(?:y|ied)|rejected|refused|not (?:allowed|permitted)|forbidden)\b/i;

export function verdictOn(error: EditorError, operation: 'read' | 'write'): Verdict {
  if (error.code === METHOD_NOT_FOUND) return 'disk';
  if (error.code === RESOURCE_NOT_FOUND && operation === 'read') return 'disk';
  return DENIAL.test(`${error.message} ${error.details}`) ? 'denied' : 'failed';
}
