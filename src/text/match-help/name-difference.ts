/**
 * Says in which ways two texts with the same folded codes differ. Both are walked unit by unit: the text between two
 * units (blanks and other dropped characters) and the units themselves are compared as they are written, and each
 * difference is put into its class.
 */

import type { Steps } from '../steps.js';
import { readUnit, skipMarks, type Unit } from './fold.js';
import type { MatchReason } from './match-help.js';
import { type Survey, unitEnd, unitStart } from './survey.js';

export interface Difference {
  /** How often each class occurred. */
  readonly counts: Map<MatchReason, number>;
  /** How far apart the texts are. */
  readonly total: number;
}

/** Another letter weighs more than another blank. */
const LETTER_COST = 10;
/** Beyond this the classes are known well enough. */
const MAX_DIFFERENCES = 5000;
const UNITS_PER_STEP = 16_384;
/** In blanks and other dropped characters; nobody means one by what is in its middle. */
const LONG_GAP = 8192;

export function* nameDifference(sent: Survey, found: Survey): Steps<Difference> {
  const counts = new Map<MatchReason, number>();
  let total = 0;
  const note = (reason: MatchReason) => {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    total += reason === 'case' || reason === 'similar' ? LETTER_COST : 1;
  };
  const a = new Walker(sent);
  const b = new Walker(found);
  for (let seen = 1; total < MAX_DIFFERENCES; seen++) {
    const more = a.step();
    if (!b.step() || !more) break;
    const place = { opens: a.first };
    if (!a.sameGap(b)) for (const reason of classifyGap(a.gap, b.gap, place)) note(reason);
    if (!a.sameUnit(b)) note(classifyUnit(a.unitText, b.unitText));
    if (seen % UNITS_PER_STEP === 0) yield;
  }
  const [restA, restB] = [a.rest, b.rest];
  if (restA !== restB) for (const reason of classifyGap(restA, restB, { opens: false })) note(reason);
  return { counts, total };
}

/** The classes that matter most to the sender come first. */
const PRIORITY: readonly MatchReason[] = [
  'line_numbers',
  'similar',
  'case',
  'escaped',
  'html_entities',
  'unicode_form',
  'invisible_characters',
  'quotes',
  'tabs_vs_spaces',
  'blank_lines',
  'indentation',
  'trailing_whitespace',
  'line_endings',
];

export function reasonsOf({ counts }: Difference): MatchReason[] {
  return PRIORITY.filter((reason) => counts.has(reason));
}

class Walker {
  first = true;
  private gapStart = 0;
  private start = 0;
  private end = 0;
  private seen = 0;
  private readonly unit: Unit = { code: 0, end: 0 };

  constructor(private readonly of: Survey) {}

  step(): boolean {
    if (this.seen === this.of.size) return false;
    this.first = this.seen === 0;
    this.seen++;
    this.gapStart = this.end;
    for (let at = this.end; at < this.of.text.length; at = this.unit.end) {
      const far = at + LONG_GAP;
      while (at < far && this.of.table[this.of.text.charCodeAt(at)] === 0) at++;
      // The survey knows the way across.
      if (at === far) at = unitStart(this.of, this.seen - 1);
      readUnit(this.of.table, this.of.text, at, this.unit);
      if (this.unit.code === 0) continue;
      this.start = at;
      this.end = skipMarks(this.of.text, this.unit.end);
      break;
    }
    return true;
  }

  sameGap(other: Walker): boolean {
    return same(this.of.text, this.gapStart, this.start, other.of.text, other.gapStart, other.start);
  }

  sameUnit(other: Walker): boolean {
    return same(this.of.text, this.start, this.end, other.of.text, other.start, other.end);
  }

  get gap(): string {
    return this.of.text.slice(this.gapStart, this.start);
  }

  get unitText(): string {
    return this.of.text.slice(this.start, this.end);
  }

  get rest(): string {
    return this.of.text.slice(this.of.size === 0 ? 0 : unitEnd(this.of, this.of.size - 1));
  }
}

function same(a: string, aStart: number, aEnd: number, b: string, bStart: number, bEnd: number): boolean {
  if (aEnd - aStart !== bEnd - bStart) return false;
  for (let i = aStart, j = bStart; i < aEnd; i++, j++) if (a.charCodeAt(i) !== b.charCodeAt(j)) return false;
  return true;
}

function classifyGap(wholeSent: string, wholeFound: string, { opens }: { opens: boolean }): MatchReason[] {
  const [sent, found] = [endsOf(wholeSent), endsOf(wholeFound)];
  const differs = (pattern: RegExp) => (sent.match(pattern) ?? []).join('') !== (found.match(pattern) ?? []).join('');
  if (differs(/\\+[nrt]?/g)) return ['escaped'];
  if (differs(/&#?\w+;/g)) return ['html_entities'];
  if (differs(/\p{M}/gu)) return ['unicode_form'];
  if (differs(/[^ \t\r\n\v\f]/g)) return ['invisible_characters'];
  const [a, b] = [sent, found].map((gap) => gap.replace(/\r\n?/g, '\n').split('\n')) as [string[], string[]];
  if (a.length !== b.length) return ['blank_lines'];
  const inLine = a.length === 1 && !opens;
  const classes: MatchReason[] = [];
  if (a.at(-1) !== b.at(-1)) classes.push(classifyIndent(a.at(-1) ?? '', b.at(-1) ?? ''));
  if (!inLine && a.slice(0, -1).join('\n') !== b.slice(0, -1).join('\n')) classes.push('trailing_whitespace');
  if (classes.length > 0) return classes;
  return wholeSent.length === sent.length && wholeFound.length === found.length ? ['line_endings'] : ['blank_lines'];
}

/** Of a long gap, its beginning and its end. */
function endsOf(gap: string): string {
  return gap.length > LONG_GAP ? gap.slice(0, LONG_GAP / 2) + gap.slice(-LONG_GAP / 2) : gap;
}

function classifyIndent(sent: string, found: string): MatchReason {
  return sent.includes('\t') !== found.includes('\t') ? 'tabs_vs_spaces' : 'indentation';
}

function classifyUnit(sent: string, found: string): MatchReason {
  if (/^&./.test(sent) !== /^&./.test(found)) return 'html_entities';
  if (/^\\/.test(sent) !== /^\\/.test(found)) return 'escaped';
  if (sent.normalize('NFKC') === found.normalize('NFKC'))
    return sent.includes('.') || found.includes('.') ? 'quotes' : 'unicode_form';
  if (sent.toLowerCase() === found.toLowerCase()) return 'case';
  return isTypographic(sent) && isTypographic(found) && !/^-+$/.test(sent + found) ? 'quotes' : 'similar';
}

function isTypographic(unit: string): boolean {
  return /^[\p{P}\p{Sk}\p{Sm}x`]+$/u.test(unit);
}
