/**
 * Folding: the loosest reading of a text. Every text becomes a row of units, one 16-bit code each, in which the
 * mistakes that copying makes no longer show: blanks, line ends, invisible characters and combining marks give no
 * unit; all quotes are one code, all dashes another; capitals are small; an HTML entity or an escape counts as what it stands for.
 * Two texts with the same codes differ only in such things, and each unit knows where it stands in its text.
 */

/** The code of what leaves no trace. */
export const DROPPED = 0;
/** In the table only: the unit may be longer than one character, so `readUnit` must look. */
export const SPECIAL = 1;

const QUOTE = 0x27;
const DASH = 0x2d;
const DOT = 0x2e;
const HASH = 0x23;
const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;
const ELLIPSIS = 0x2026;

const QUOTES =
  '\'"`\u00b4\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u2039\u203a\u00ab\u00bb\u300c\u300d\u300e\u300f\u301d\u301e\uff02\uff07';
const DASHES = '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d';
const MARK_RANGES = [
  [0x300, 0x36f],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0x3099, 0x309a],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
] as const;
/** Combining marks, blanks, controls, zero-width and direction marks: [first, last]. */
const DROPPED_RANGES = [
  ...MARK_RANGES,
  [0x00, 0x20],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x1680, 0x1680],
  [0x180e, 0x180e],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
] as const;
/** Where capital and composed letters live; each folds to its small base letter. */
const LETTER_RANGES = [
  [0x41, 0x5a],
  [0xc0, 0x24f],
  [0x370, 0x52f],
  [0x1e00, 0x1fff],
  [0x3040, 0x30ff],
] as const;
const FULL_WIDTH = { first: 0xff01, last: 0xff5e, offset: 0xfee0 };
const JAMO = { lead: 0x1100, leads: 19, vowel: 0x1161, vowels: 21, tail: 0x11a7, tails: 28, syllable: 0xac00 };

const ENTITIES: Record<string, number> = {
  amp: AMPERSAND,
  lt: 0x3c,
  gt: 0x3e,
  quot: QUOTE,
  apos: QUOTE,
  nbsp: DROPPED,
  shy: DROPPED,
  mdash: DASH,
  ndash: DASH,
  minus: DASH,
  hellip: ELLIPSIS,
  lsquo: QUOTE,
  rsquo: QUOTE,
  ldquo: QUOTE,
  rdquo: QUOTE,
  laquo: QUOTE,
  raquo: QUOTE,
  times: 0x78,
  copy: 0xa9,
};

/** The longest run of dots, dashes, backslashes or marks that is one unit. */
const MAX_RUN = 80;

export type FoldTable = Uint16Array;

export interface Unit {
  code: number;
  /** Just past the last character of the unit. */
  end: number;
}

export function createFoldTable(): FoldTable {
  const table = new Uint16Array(0x10000);
  for (let code = 0; code < table.length; code++) table[code] = code;
  for (const [first, last] of LETTER_RANGES) {
    for (let code = first; code <= last; code++) table[code] = baseLetter(code);
  }
  for (const [first, last] of DROPPED_RANGES) table.fill(DROPPED, first, last + 1);
  for (let code = FULL_WIDTH.first; code <= FULL_WIDTH.last; code++)
    table[code] = table[code - FULL_WIDTH.offset] ?? code;
  for (const quote of QUOTES) table[quote.charCodeAt(0)] = QUOTE;
  for (const dash of DASHES) table[dash.charCodeAt(0)] = SPECIAL;
  table[0xd7] = 0x78;
  for (const code of [DASH, DOT, AMPERSAND, BACKSLASH]) table[code] = SPECIAL;
  table.fill(SPECIAL, JAMO.lead, JAMO.lead + JAMO.leads);
  return table;
}

function baseLetter(code: number): number {
  return String.fromCharCode(code).normalize('NFD').toLowerCase().charCodeAt(0);
}

/** Reads the unit that starts at `at` into `unit`. */
export function readUnit(table: FoldTable, text: string, at: number, unit: Unit): void {
  const char = text.charCodeAt(at);
  const code = table[char] ?? DROPPED;
  unit.code = code;
  unit.end = at + 1;
  if (code !== SPECIAL) return;
  unit.code = char;
  if (char === DOT) readDots(text, at, unit);
  else if (char === AMPERSAND) readEntity(table, text, at, unit);
  else if (char === BACKSLASH) readEscape(table, text, at, unit);
  else if (char >= JAMO.lead && char < JAMO.lead + JAMO.leads) readSyllable(text, at, unit);
  else readDashes(table, text, at, unit);
}

/** Past the combining marks that belong to the character before `at`. */
export function skipMarks(text: string, at: number): number {
  let end = at;
  while (end < at + MAX_RUN && isMark(text.charCodeAt(end))) end++;
  return end;
}

function isMark(char: number): boolean {
  if (char < 0x300) return false;
  return MARK_RANGES.some(([first, last]) => char >= first && char <= last);
}

function readDots(text: string, at: number, unit: Unit): void {
  let end = at + 1;
  while (end < at + MAX_RUN && text.charCodeAt(end) === DOT) end++;
  if (end - at < 3) return;
  unit.code = ELLIPSIS;
  unit.end = end;
}

/** A run of hyphens is one dash, as typists write `--` for it. */
function readDashes(table: FoldTable, text: string, at: number, unit: Unit): void {
  unit.code = DASH;
  while (unit.end < at + MAX_RUN && isDash(table, text.charCodeAt(unit.end))) unit.end++;
}

function isDash(table: FoldTable, char: number): boolean {
  return char === DASH || (char > 0x2000 && table[char] === SPECIAL);
}

const LONGEST_ENTITY = 10;

function readEntity(table: FoldTable, text: string, at: number, unit: Unit): void {
  const next = text.charCodeAt(at + 1);
  if (next !== HASH && !(next >= 0x61 && next <= 0x7a)) return;
  const close = text.slice(at + 1, at + LONGEST_ENTITY).indexOf(';');
  if (close < 1) return;
  const name = text.slice(at + 1, at + 1 + close);
  const code = name.startsWith('#') ? numbered(table, name) : ENTITIES[name];
  if (code === undefined) return;
  unit.code = code;
  unit.end = at + close + 2;
}

function numbered(table: FoldTable, name: string): number | undefined {
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code >= 0 && code <= 0xffff ? plain(table, code) : undefined;
}

/** Backslashes vanish, with an `n`, `r` or `t` behind them: those stand for blanks. */
function readEscape(table: FoldTable, text: string, at: number, unit: Unit): void {
  let end = at + 1;
  while (end < at + MAX_RUN && text.charCodeAt(end) === BACKSLASH) end++;
  const next = text[end];
  unit.code = DROPPED;
  unit.end = end;
  if (next === 'n' || next === 'r' || next === 't') unit.end = end + 1;
  if (next !== 'u') return;
  const digits = text.slice(end + 1, end + 5);
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) return;
  unit.code = plain(table, Number.parseInt(digits, 16));
  unit.end = end + 5;
}

function plain(table: FoldTable, code: number): number {
  const folded = table[code] ?? DROPPED;
  if (folded !== SPECIAL) return folded;
  return code > 0x2000 ? DASH : code;
}

/** Hangul letters written apart count as their syllable. */
function readSyllable(text: string, at: number, unit: Unit): void {
  const lead = text.charCodeAt(at) - JAMO.lead;
  const vowel = text.charCodeAt(at + 1) - JAMO.vowel;
  if (!(vowel >= 0 && vowel < JAMO.vowels)) return;
  const tail = text.charCodeAt(at + 2) - JAMO.tail;
  const hasTail = tail > 0 && tail < JAMO.tails;
  unit.code = JAMO.syllable + (lead * JAMO.vowels + vowel) * JAMO.tails + (hasTail ? tail : 0);
  unit.end = at + (hasTail ? 3 : 2);
}
