/**
 * Which words of the sent text the file has, how often, and where. A word (or a pair of neighbours) that is rare in
 * the file tells much about the place; each carries one vote, shared among its occurrences.
 */
import { type Survey, survey, type Tables, type WordSink } from './survey.js';

export interface WordIndex {
  /** The number of the word or pair with this hash, if the sent text has it. */
  idOf(hash: number): number | undefined;
  readonly ids: number;
  readonly lengths: number[];
  /** How often the sent text has each. */
  readonly wanted: number[];
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
const MIN_WORD_CHARS = 2;
const PAIR = 0x9e3779b1 | 0;
const FILTER_MASK = 0xffff;

export function indexWords(texts: readonly string[], tables: Tables): WordIndex {
  const numbers = new Map<number, number>();
  const filter = new Uint8Array(FILTER_MASK + 1);
  const lengths: number[] = [];
  const wanted: number[] = [];
  for (const text of texts) {
    survey(
      text,
      tables,
      withPairs((hash, start, end) => {
        const known = numbers.get(hash);
        if (known !== undefined) wanted[known] = (wanted[known] ?? 0) + 1;
        if (known !== undefined || numbers.size >= MAX_WORDS) return;
        numbers.set(hash, lengths.length);
        filter[(hash ^ (hash >>> 16)) & FILTER_MASK] = 1;
        lengths.push(end - start);
        wanted.push(1);
      }),
    );
  }
  const idOf = (hash: number) => (filter[(hash ^ (hash >>> 16)) & FILTER_MASK] === 1 ? numbers.get(hash) : undefined);
  return {
    idOf,
    lengths,
    wanted,
    get ids() {
      return lengths.length;
    },
  };
}

/** Surveys the file and counts the votes on the way. */
export function surveyWithVotes(content: string, tables: Tables, index: WordIndex): { file: Survey; votes: Votes } {
  const votes: Votes = { index, counts: new Int32Array(index.ids), positions: [], words: [] };
  const file = survey(
    content,
    tables,
    withPairs((hash, start) => {
      const id = index.idOf(hash);
      if (id === undefined) return;
      const count = (votes.counts[id] ?? 0) + 1;
      votes.counts[id] = count;
      if (count > MAX_PLACES) return;
      votes.positions.push(start);
      votes.words.push(id);
    }),
  );
  return { file, votes };
}

/** How much one occurrence of the word in the file tells. */
export function weightOf({ counts, index }: Votes, id: number): number {
  const count = counts[id] ?? 0;
  return count === 0 ? 0 : Math.min(1, (index.lengths[id] ?? 0) / 5) / count;
}

/** The distinct words and pairs of a text that the index knows. */
export function wordsIn(text: string, tables: Tables, index: WordIndex): Set<number> {
  const found = new Set<number>();
  survey(
    text,
    tables,
    withPairs((hash) => {
      const id = index.idOf(hash);
      if (id !== undefined) found.add(id);
    }),
  );
  return found;
}

/** Passes on each word, and each pair of words under a hash of its own. */
function withPairs(sink: WordSink): WordSink {
  let previous = 0;
  return (hash, start, end) => {
    if (end - start >= MIN_WORD_CHARS) sink(hash, start, end);
    if (previous !== 0) sink((Math.imul(previous, PAIR) ^ hash) | 0, start, end);
    previous = hash;
  };
}
