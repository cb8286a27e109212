/**
 * Decides between places for which equally many words speak. A word that the file does not have may be a slip of the
 * pen: the place that has a word spelled much like it is meant. Without such a word nothing is decided.
 */
import type { NearPlace } from './best-place.js';
import { scanWords } from './scan-words.js';
import { type Votes, WORD } from './word-votes.js';

const MAX_MISSING = 12;
const MAX_WORD_CHARS = 40;
/** How much alike two spellings must be, and by how much more than at any other place. */
const ALIKE = 0.6;
const CLEARLY_MORE = 0.2;

/** Words of the sent text that the file does not have at all; numbers are not misspelled. */
export function missingWords(sent: string, { index, counts }: Votes): string[] {
  const missing = new Set<string>();
  const onWord = (hash: number, start: number, end: number) => {
    if (counts[index.numbers.get(hash) ?? -1] !== 0 || end - start < 3 || end - start > MAX_WORD_CHARS) return;
    const word = sent.slice(start, end);
    // Pairs of words are announced as well; they show by what stands between them.
    if (missing.size < MAX_MISSING && WORD.test(word) && !/^\d+$/.test(word)) missing.add(word);
  };
  scanWords(sent, { kinds: index.kinds, onWord });
  return [...missing];
}

export function tellBySpelling(
  text: string,
  missing: readonly string[],
  rivals: readonly NearPlace[],
): NearPlace | undefined {
  const ranked = rivals
    .map((place) => ({ place, alike: spelledAlike(missing, text.slice(place.start, place.end)) }))
    .sort((one, other) => other.alike - one.alike);
  const [first, second] = ranked;
  if (!first || !second || first.alike < ALIKE) return undefined;
  return first.alike - second.alike >= CLEARLY_MORE ? first.place : undefined;
}

/** How much alike to the missing words the words of the place are, on average; each by the one closest to it. */
function spelledAlike(missing: readonly string[], place: string): number {
  const words = new Set(place.slice(0, MAX_PLACE_CHARS).match(/[\p{L}\p{N}_$]{3,40}/gu) ?? []);
  let sum = 0;
  for (const word of missing) sum += Math.max(0, ...[...words].map((other) => alikeness(word, other)));
  return sum / Math.max(1, missing.length);
}

const MAX_PLACE_CHARS = 6000;

/** Shared pairs of neighbouring letters (Dice). */
function alikeness(one: string, other: string): number {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < one.length; at++) pairs.add(one.slice(at, at + 2).toLowerCase());
  let shared = 0;
  for (let at = 0; at + 1 < other.length; at++) if (pairs.delete(other.slice(at, at + 2).toLowerCase())) shared++;
  return (2 * shared) / (one.length + other.length - 2);
}
