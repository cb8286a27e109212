/**
 * Which words of the sent text the file has, how often, and where. A word (or a pair of neighbours) that is rare in
 * the file tells much about the place; each carries one vote, shared among its occurrences.
 */
import type { Steps } from '../steps.js';
import { createFilter, createKinds, filterSlot, scanSteps, scanWords } from './scan-words.js';

export interface WordIndex {
  /** The number of the word or pair with this hash, if the sent text has it. */
  readonly numbers: ReadonlyMap<number, number>;
  /** Has the slot of each such hash set. */
  readonly filter: Uint8Array;
  /** How much each would tell if the file had it once. */
  readonly worth: readonly number[];
  /** How often the sent text has each. */
  readonly wanted: readonly number[];
  readonly kinds: Uint8Array;
}

export interface Votes {
  readonly index: WordIndex;
  readonly counts: Int32Array;
  /** Recorded occurrences, in the order of the file: position and word. */
  readonly positions: number[];
  readonly words: number[];
}

const MAX_WORDS = 3000;
/** A word found more often is common: it is counted, but its places are not kept. */
export const MAX_PLACES = 64;
const MAX_COUNTED = 20_000;
const CHARS_PER_WORTH = 6;
const MAX_WORTH = 1.5;
const NUMBER_SHARE = 0.4;
const PAIR_SHARE = 0.5;
export const WORD = /^[\p{L}\p{M}\p{N}_$]+$/u;

export function indexWords(text: string): WordIndex {
  const kinds = createKinds();
  const numbers = new Map<number, number>();
  const filter = createFilter();
  const worth: number[] = [];
  const wanted: number[] = [];
  const onWord = (hash: number, start: number, end: number) => {
    const known = numbers.get(hash);
    if (known !== undefined) wanted[known] = (wanted[known] ?? 0) + 1;
    if (known !== undefined || numbers.size >= MAX_WORDS) return;
    numbers.set(hash, worth.length);
    filter[filterSlot(hash)] = 1;
    worth.push(worthOf(text.slice(start, end)));
    wanted.push(1);
  };
  scanWords(text, { kinds, onWord });
  return { numbers, filter, worth, wanted, kinds };
}

/** Walks the file once and collects the votes. */
export function* countVotes(content: string, index: WordIndex): Steps<Votes> {
  const { numbers, kinds } = index;
  const filter = index.filter.slice();
  const votes: Votes = { index, counts: new Int32Array(numbers.size), positions: [], words: [] };
  const onWord = (hash: number, start: number) => {
    const id = numbers.get(hash);
    if (id === undefined) return;
    const count = (votes.counts[id] ?? 0) + 1;
    votes.counts[id] = count;
    // A common word needs no exact count, and not to be looked up again and again.
    if (count > MAX_COUNTED) filter[filterSlot(hash)] = 0;
    if (count > MAX_PLACES) return;
    votes.positions.push(start);
    votes.words.push(id);
  };
  yield* scanSteps(content, { kinds, filter, onWord });
  return votes;
}

/** How much one occurrence of the word in the file tells. */
export function weightOf({ counts, index }: Votes, id: number): number {
  const count = counts[id] ?? 0;
  return count === 0 ? 0 : (index.worth[id] ?? 0) / count;
}

/** A long name tells more than a short one, a name more than a number, and a pair less than its words. */
function worthOf(words: string): number {
  const length = Math.min(MAX_WORTH, words.length / CHARS_PER_WORTH);
  if (/^\d+$/.test(words)) return length * NUMBER_SHARE;
  return WORD.test(words) ? length : length * PAIR_SHARE * (/^\d|\d$/.test(words) ? NUMBER_SHARE : 1);
}

/** The distinct words and pairs of a text that the index knows. */
export function wordsIn(text: string, { numbers, filter, kinds }: WordIndex): Set<number> {
  const found = new Set<number>();
  const onWord = (hash: number) => {
    const id = numbers.get(hash);
    if (id !== undefined) found.add(id);
  };
  scanWords(text, { kinds, filter, onWord });
  return found;
}
