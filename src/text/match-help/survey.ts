/**
 * One walk over a text, as fast as JavaScript goes: its folded codes, a checkpoint every so many units by which a
 * unit finds back to its place in the text, and every word by its hash. Linear whatever the text is; all later
 * questions about a large file are asked of this, never of the text again.
 */
import { DROPPED, type FoldTable, readUnit, SPECIAL, skipMarks, type Unit } from './fold.js';

export interface Survey {
  readonly text: string;
  readonly codes: Uint16Array;
  /** How many codes are in use. */
  readonly size: number;
  readonly checkpoints: Int32Array;
  readonly table: FoldTable;
}

export interface WordSink {
  /** Called with the hash of each word, and with that of each pair of neighbouring words at the second of them. */
  onWord(hash: number, start: number, end: number): void;
  /** When given, only hashes whose slot is set are passed on: most words of a large file are of no interest. */
  filter?: Uint8Array;
}

const CHECKPOINT_BITS = 9;
const CHECKPOINT_MASK = (1 << CHECKPOINT_BITS) - 1;
const NO_WORD = -1;

export function survey(text: string, tables: Tables, words?: WordSink): Survey {
  const { fold, kinds } = tables;
  const codes = new Uint16Array(text.length);
  const checkpoints = new Int32Array((text.length >> CHECKPOINT_BITS) + 1);
  const unit: Unit = { code: 0, end: 0 };
  const pass = words && createPass(words);
  let size = 0;
  let wordStart = NO_WORD;
  let hash = 0;
  for (let at = 0, next = 0; at < text.length; at = next) {
    const char = text.charCodeAt(at);
    let code = fold[char] ?? DROPPED;
    next = at + 1;
    if (code === SPECIAL) {
      readUnit(fold, text, at, unit);
      code = unit.code;
      next = unit.end;
    }
    if (code !== DROPPED) {
      if ((size & CHECKPOINT_MASK) === 0) checkpoints[size >> CHECKPOINT_BITS] = at;
      codes[size++] = code;
    }
    if (!pass) continue;
    const kind = kinds[char];
    if (kind === LETTER) {
      if (wordStart === NO_WORD) {
        wordStart = at;
        hash = 0;
      }
      hash = (Math.imul(hash, 31) + char) | 0;
      continue;
    }
    if (wordStart !== NO_WORD) pass(hash, wordStart, at);
    wordStart = NO_WORD;
    // Scripts without spaces: each two neighbours are a word.
    if (kind === IDEOGRAPH && kinds[text.charCodeAt(next)] === IDEOGRAPH) {
      pass((Math.imul(char, 31) + text.charCodeAt(next)) | 0, at, at + 2);
    }
  }
  if (pass && wordStart !== NO_WORD) pass(hash, wordStart, text.length);
  return { text, codes, size, checkpoints, table: fold };
}

const FILTER_MASK = 0xffff;
const MIN_WORD_CHARS = 2;
const PAIR_FACTOR = 0x9e3779b1 | 0;

export function createFilter(): Uint8Array {
  return new Uint8Array(FILTER_MASK + 1);
}

export function filterSlot(hash: number): number {
  return (hash ^ (hash >>> 16)) & FILTER_MASK;
}

/** Hands words and pairs on to the sink, as far as the filter lets them. */
function createPass({ filter, onWord }: WordSink): (hash: number, start: number, end: number) => void {
  let previous = 0;
  return (hash, start, end) => {
    const pair = (Math.imul(previous, PAIR_FACTOR) ^ hash) | 0;
    const isPair = previous !== 0;
    previous = hash;
    if (end - start >= MIN_WORD_CHARS && (!filter || filter[filterSlot(hash)] === 1)) onWord(hash, start, end);
    if (isPair && (!filter || filter[filterSlot(pair)] === 1)) onWord(pair, start, end);
  };
}

/** Where the unit of this number starts in the text. */
export function unitStart(from: Survey, index: number): number {
  const unit: Unit = { code: 0, end: 0 };
  let at = from.checkpoints[index >> CHECKPOINT_BITS] ?? 0;
  let left = index & CHECKPOINT_MASK;
  for (;;) {
    readUnit(from.table, from.text, at, unit);
    if (unit.code !== DROPPED && left-- === 0) return at;
    if (at >= from.text.length) return at;
    at = unit.end;
  }
}

/** Just past the unit of this number and its combining marks. */
export function unitEnd(from: Survey, index: number): number {
  const unit: Unit = { code: 0, end: 0 };
  readUnit(from.table, from.text, unitStart(from, index), unit);
  return skipMarks(from.text, unit.end);
}

export function usedCodes(from: Survey): Uint16Array {
  return from.codes.subarray(0, from.size);
}

/** What a character does to words. */
export const LETTER = 1;
export const IDEOGRAPH = 2;

export interface Tables {
  readonly fold: FoldTable;
  readonly kinds: Uint8Array;
}

export function createTables(fold: FoldTable): Tables {
  const kinds = new Uint8Array(0x10000);
  for (const char of '0123456789_$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ') {
    kinds[char.charCodeAt(0)] = LETTER;
  }
  kinds.fill(LETTER, 0xc0, 0x2000);
  kinds.fill(IDEOGRAPH, 0x3040, 0xe000);
  kinds.fill(IDEOGRAPH, 0xf900, 0xfb00);
  for (let code = 0; code < kinds.length; code++) {
    if (fold[code] === DROPPED && !(code >= 0x300 && code < 0x370)) kinds[code] = 0;
  }
  return { fold, kinds };
}
