/** What parameters must satisfy beyond their type. Named, so that shapes can name them (see `shape`). */
import { isAbsolutePath } from '../text/path-syntax';
import { isSameText, type Text } from '../text/pieced-text';

export const RULES = {
  /** What its names hold is judged later: a path that is not absolute is told so, whatever else is wrong with it. */
  absolute: (path: string) => isAbsolutePath(path, { platform: process.platform }),
  withoutNul: (text: string) => !text.includes('\0'),
  /** A lone surrogate has no bytes in any encoding, though it would match half a character. */
  encodable: (text: Text) => text.isWellFormed(),
  /** That it may come in pieces, where it is long (see `shape`). */
  mayBePieced: () => true,
  notEmpty: (value: { readonly length: number }) => value.length > 0,
  changing: (edit: { old_string: Text; new_string: Text }) => !isSameText(edit.old_string, edit.new_string),
};

export type RuleName = keyof typeof RULES;

/** Counts characters, as JSON Schema does, not UTF-16 units. */
export function hasAtMost(maxCharacters: number): ((text: string) => boolean) & { maxCharacters: number } {
  const fits = (text: string) => text.length <= maxCharacters * 2 && [...text].length <= maxCharacters;
  return Object.assign(fits, { maxCharacters });
}
