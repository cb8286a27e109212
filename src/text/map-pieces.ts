import type { Steps } from './steps';

const CHARACTERS_PER_STEP = 524_288;

/** What becomes of a text a piece at a time. Where a pair of characters counts as one, no piece ends between the two. */
export function* mapPieces(text: string, pair: string, map: (piece: string) => string): Steps<string> {
  const parts: string[] = [];
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = from + CHARACTERS_PER_STEP;
    if (text.startsWith(pair, to - 1)) to++;
    parts.push(map(text.slice(from, to)));
    yield;
  }
  return parts.join('');
}
