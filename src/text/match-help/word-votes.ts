/**
 * Which words of the sent text the file has, how often, and where. A word (or a pair of neighbours) that is rare in
 * the file tells much about the place; each carries one vote, shared among its occurrences.
 */
import { createFilter, createKinds, filterSlot, scanWords } from './scan-words.js';

export interface WordIndex {
  /** The number of the word or pair with this hash, if the sent text has it. */
  readonly numbers: ReadonlyMap<number, number>;
  /** Has the slot of each such hash set. */
  readonly filter: Uint8Array;
  readonly lengths: readonly number[];
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

export function indexWords(text: string): WordIndex {
  const kinds = createKinds();
  const numbers = new Map<number, number>();
  const filter = createFilter();
  const lengths: number[] = [];
  const wanted: number[] = [];
  const onWord = (hash: number, start: number, end: number) => {
    const known = numbers.get(hash);
    if (known !== undefined) wanted[known] = (wanted[known] ?? 0) + 1;
    if (known !== undefined || numbers.size >= MAX_WORDS) return;
    numbers.set(hash, lengths.length);
    filter[filterSlot(hash)] = 1;
    lengths.push(end - start);
    wanted.push(1);
  };
  scanWords(text, { kinds, onWord });
  return { numbers, filter, lengths, wanted, kinds };
}

/** Walks the file once and collects the votes. */
export function countVotes(content: string, index: WordIndex): Votes {
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
  scanWords(content, { kinds, filter, onWord });
  return votes;
}

/** How much one occurrence of the word in the file tells. */
export function weightOf({ counts, index }: Votes, id: number): number {
  const count = counts[id] ?? 0;
  return count === 0 ? 0 : Math.min(1, (index.lengths[id] ?? 0) / 5) / count;
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
