/** Why an `old_string` was not found; the words on the wire. */
export type MatchReason =
  | 'tabs_vs_spaces'
  | 'indentation'
  | 'trailing_whitespace'
  | 'blank_lines'
  | 'line_endings'
  /** Also dashes, ellipses and other typographic signs. */
  | 'quotes'
  | 'invisible_characters'
  | 'unicode_form'
  | 'escaped'
  | 'html_entities'
  /** Also other marks of a display: Markdown fences, the signs of a diff. */
  | 'line_numbers'
  | 'elided'
  | 'case'
  | 'similar'
  | 'already_applied'
  | 'not_there';

export interface MatchHelp {
  reason: MatchReason;
  /** The lines of `old_string` or, without one, of the place. None when no one place is claimed. */
  start_line?: number;
  end_line?: number;
  /** The exact text of the file there; it occurs once. */
  old_string?: string;
  /** One sentence: what differs, and what to do. */
  hint: string;
  /** A second place that is close; or, when no place is claimed, the places between which to choose. */
  also?: OtherPlace[];
}

export interface OtherPlace {
  start_line: number;
  end_line: number;
  /** Its exact text, if short; it occurs once. */
  old_string?: string;
}
