/** The one sentence that goes with an answer: what differs, and what to do. */
import type { MatchReason } from './match-help.js';

const WHAT_DIFFERS: Record<MatchReason, string> = {
  tabs_vs_spaces: 'tabs and spaces differ',
  indentation: 'the indentation or spacing differs',
  trailing_whitespace: 'blanks at the end of lines differ',
  blank_lines: 'line breaks or blank lines differ',
  line_endings: 'line endings (CRLF or LF) differ',
  quotes: 'quotes, dashes or other typographic signs differ',
  invisible_characters: 'invisible characters (no-break or zero-width spaces, byte order mark) differ',
  unicode_form: 'the Unicode form of some characters differs',
  escaped: 'backslash escapes differ',
  html_entities: 'HTML entities differ',
  line_numbers: 'line numbers, a fence or diff marks were sent along',
  elided: 'text was left out',
  case: 'upper and lower case differ',
  similar: 'some characters differ',
  already_applied: 'new_string is there already',
  not_there: 'nothing like it is there',
};

export function differenceHint(reasons: readonly MatchReason[]): string {
  const what = reasons
    .slice(0, 2)
    .map((reason) => WHAT_DIFFERS[reason])
    .join('; ');
  return `${sentence(what)}. Send old_string as given here.`;
}

export function severalHint(reasons: readonly MatchReason[], count: number): string {
  const what = reasons
    .slice(0, 2)
    .map((reason) => WHAT_DIFFERS[reason])
    .join('; ');
  const places = count > 2 ? 'several places' : 'two places';
  return `${sentence(what)}, and it fits ${places}. Send the exact text of the one you mean.`;
}

export const SIMILAR_HINT = 'The file reads differently here. If this is the place, send old_string as given here.';
export const CUT_HINT =
  'The file reads differently here. Of a long old_string, edit only this part, with new_string cut alike.';
export const ELIDED_HINT =
  'old_string must not leave text out. Send it whole, as given here, and new_string whole too.';
export const APPLIED_HINT = 'new_string is already there and old_string is not: nothing to do.';
export const BLANK_HINT = 'old_string has nothing but blanks. Send it with the text around them.';
export const NOT_THERE_HINT = 'Nothing in the file is near to old_string. Read the file again.';

/** For a part of a place that is too long to quote. */
export function partHint(reasons: readonly MatchReason[], place: string): string {
  const what = reasons
    .slice(0, 1)
    .map((reason) => WHAT_DIFFERS[reason])
    .join('');
  return `${sentence(what)}. The place is ${place}; edit only this part of it, with new_string cut alike.`;
}

/** For a place of which not even a part can be quoted so that it is unique. */
export function linesHint(reasons: readonly MatchReason[], place: string): string {
  const what = reasons
    .slice(0, 1)
    .map((reason) => WHAT_DIFFERS[reason])
    .join('');
  return `${sentence(what)}. Read ${place} and send their exact text, with lines around it that occur once.`;
}

/** When several blocks are equally near and none has the word that would tell. */
export function tiedHint(missing: readonly string[]): string {
  const lack = missing.length > 0 ? ` and the file has no ${missing.join(' or ')}` : '';
  return `Several places are equally near${lack}. Read them, and send the exact text of the one you mean.`;
}

export function linesText({ start_line, end_line }: { start_line: number; end_line: number }): string {
  return start_line === end_line ? `line ${start_line}` : `lines ${start_line}-${end_line}`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
