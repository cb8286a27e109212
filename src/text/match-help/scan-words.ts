import { runAtOnce, type Steps } from '../steps.js';

/**
 * One walk over a text for its words, by hash; also each pair of neighbouring words under a hash of its own. Scripts
 * without spaces have no words: there each two neighbouring characters count as one.
 */
export interface WordSink {
  readonly kinds: Uint8Array;
  onWord(hash: number, start: number, end: number): void;
  /** When given, only hashes whose slot is set are passed on: most words of a large file are of no interest. */
  filter?: Uint8Array;
}

const CHARS_PER_STEP = 131_072;
const NO_WORD = -1;
const MIN_WORD_CHARS = 2;
const PAIR_FACTOR = 0x9e3779b1 | 0;
const FILTER_MASK = 0xffff;
const LETTER = 1;
const IDEOGRAPH = 2;

export function scanWords(text: string, sink: WordSink): void {
  runAtOnce(scanSteps(text, sink));
}

export function* scanSteps(text: string, sink: WordSink): Steps<void> {
  const state: ScanState = { start: NO_WORD, hash: 0, previous: 0, previousStart: 0 };
  // One past the end: a word may end there.
  for (let at = 0; at <= text.length; at += CHARS_PER_STEP) {
    scanRange(text, { from: at, to: Math.min(at + CHARS_PER_STEP, text.length + 1) }, state, sink);
    yield;
  }
}

/** The word that is being read, and the one before it. */
interface ScanState {
  start: number;
  hash: number;
  previous: number;
  previousStart: number;
}

function scanRange(
  text: string,
  { from, to }: { from: number; to: number },
  state: ScanState,
  { kinds, filter, onWord }: WordSink,
): void {
  let { start, hash, previous, previousStart } = state;
  for (let at = from; at < to; at++) {
    const char = at < text.length ? text.charCodeAt(at) : 0;
    const kind = kinds[char];
    if (kind === LETTER) {
      if (start === NO_WORD) {
        start = at;
        hash = 0;
      }
      hash = (Math.imul(hash, 31) + char) | 0;
      continue;
    }
    if (start !== NO_WORD) {
      const pair = (Math.imul(previous, PAIR_FACTOR) ^ hash) | 0;
      if (at - start >= MIN_WORD_CHARS && (!filter || filter[filterSlot(hash)] === 1)) onWord(hash, start, at);
      if (previous !== 0 && (!filter || filter[filterSlot(pair)] === 1)) onWord(pair, previousStart, at);
      previous = hash;
      previousStart = start;
      start = NO_WORD;
    }
    if (kind !== IDEOGRAPH || kinds[text.charCodeAt(at + 1)] !== IDEOGRAPH) continue;
    const couple = (Math.imul(char, 31) + text.charCodeAt(at + 1)) | 0;
    if (!filter || filter[filterSlot(couple)] === 1) onWord(couple, at, at + 2);
  }
  Object.assign(state, { start, hash, previous, previousStart });
}

export function createFilter(): Uint8Array {
  return new Uint8Array(FILTER_MASK + 1);
}

export function filterSlot(hash: number): number {
  return (hash ^ (hash >>> 16)) & FILTER_MASK;
}

/** What each character does to words; made once, given to every scan. */
export function createKinds(): Uint8Array {
  const kinds = new Uint8Array(0x10000);
  for (const char of '0123456789_$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ') {
    kinds[char.charCodeAt(0)] = LETTER;
  }
  kinds.fill(LETTER, 0xc0, 0x2000);
  kinds.fill(IDEOGRAPH, 0x3040, 0xe000);
  kinds.fill(IDEOGRAPH, 0xf900, 0xfb00);
  return kinds;
}
