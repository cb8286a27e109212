/**
 * Cuts a text into the pieces that are aligned with one another: its lines without the blank ones and, where a line
 * is long (minified code, long prose), its statements.
 */
import type { FoldTable } from './fold.js';
import { type Survey, survey, usedCodes } from './survey.js';
import { type WordIndex, wordsIn } from './word-votes.js';

export interface Piece {
  start: number;
  end: number;
  /** The folded codes as a string, small letters. */
  folded: string;
  /** Its pairs of neighbouring codes, sorted. */
  grams: Uint32Array;
  words: Set<number>;
}

const LONG_LINE_CHARS = 240;
const STATEMENT = /[^;{},>]*(?:[;{},>]+|$)/g;
/** Beyond this, a piece is compared by its beginning. */
const MAX_PIECE_CODES = 400;

export interface Cut {
  /** Where the text begins in the file; pieces carry positions of the file. */
  base: number;
  /** Cut lines into statements. */
  fine: boolean;
}

export function cutPieces(text: string, { base, fine }: Cut, table: FoldTable, index: WordIndex): Piece[] {
  return spans(text, fine).flatMap(([start, end]) => {
    const part = text.slice(start, end);
    const codes = survey(part, table);
    return codes.size === 0 ? [] : [makePiece(part, base + start, base + end, codes, index)];
  });
}

export function hasLongLine(text: string): boolean {
  return text.split('\n').some((line) => line.length > LONG_LINE_CHARS);
}

function spans(text: string, fine: boolean): [number, number][] {
  const found: [number, number][] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    if (!fine) found.push([start, start + line.replace(/\r$/, '').length]);
    else
      for (const match of line.matchAll(STATEMENT))
        found.push([start + match.index, start + match.index + match[0].length]);
    start += line.length + 1;
  }
  return found;
}

function makePiece(part: string, start: number, end: number, codes: Survey, index: WordIndex): Piece {
  const used = usedCodes(codes).subarray(0, MAX_PIECE_CODES);
  const folded = String.fromCharCode(...used).toLowerCase();
  return { start, end, folded, grams: gramsOf(folded), words: wordsIn(part, index) };
}

function gramsOf(folded: string): Uint32Array {
  const grams = new Uint32Array(Math.max(1, folded.length - 1));
  if (folded.length === 1) grams[0] = folded.charCodeAt(0);
  for (let at = 0; at + 1 < folded.length; at++)
    grams[at] = folded.charCodeAt(at) * 0x10000 + folded.charCodeAt(at + 1);
  return grams.sort();
}

/** How alike two pieces are as written, from 0 to 1: shared pairs of neighbours (Dice). */
export function likeness(one: Piece, other: Piece): number {
  if (one.folded === other.folded) return 1;
  const [a, b] = [one.grams, other.grams];
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [x, y] = [a[i] ?? 0, b[j] ?? 0];
    if (x === y) shared++;
    if (x <= y) i++;
    if (y <= x) j++;
  }
  return Math.min(0.99, (2 * shared) / (a.length + b.length));
}
