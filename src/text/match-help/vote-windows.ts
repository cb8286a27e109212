/**
 * Finds the stretches of the file, about as long as the sent text, that gather most votes. A window slides over the
 * votes in the order of the file; within it each word counts as often as the sent text has it.
 */
import type { Span } from './span.js';
import { MAX_PLACES, type Votes, weightOf } from './word-votes.js';

const MAX_WINDOWS = 6;
/** The file may have grown since. */
const STRETCH = 1.3;
const MIN_WIDTH_CHARS = 240;

/** Best first; a window never begins within another. */
export function bestWindows(votes: Votes, sentChars: number): Span[] {
  const { positions } = votes;
  const width = sentChars * STRETCH + MIN_WIDTH_CHARS;
  const { sums, ends } = slide(votes, width);
  const windows: Span[] = [];
  while (windows.length < MAX_WINDOWS) {
    let top = -1;
    for (let left = 0; left < sums.length; left++) if ((sums[left] ?? 0) > (sums[top] ?? 0)) top = left;
    if (top < 0) break;
    const window = { start: positions[top] ?? 0, end: (positions[ends[top] ?? top] ?? 0) + 1 };
    windows.push(window);
    for (let left = 0; left < sums.length; left++) {
      const start = positions[left] ?? 0;
      if (start < window.end && start + width * 0.5 > window.start) sums[left] = 0;
    }
  }
  return windows;
}

/** For each vote as the left edge: the sum of the distinct votes in its window, and the last one in it. */
function slide(votes: Votes, width: number): { sums: Float64Array; ends: Int32Array } {
  const { positions, words, index, counts } = votes;
  const weights = Float64Array.from({ length: index.worth.length }, (_, id) =>
    (counts[id] ?? 0) > MAX_PLACES ? 0 : weightOf(votes, id),
  );
  const inside = new Int32Array(index.worth.length);
  const sums = new Float64Array(positions.length);
  const ends = new Int32Array(positions.length);
  let sum = 0;
  let right = 0;
  for (let left = 0; left < positions.length; left++) {
    for (; right < positions.length && (positions[right] ?? 0) - (positions[left] ?? 0) <= width; right++) {
      const word = words[right] ?? 0;
      if ((inside[word] ?? 0) < (index.wanted[word] ?? 0)) sum += weights[word] ?? 0;
      inside[word] = (inside[word] ?? 0) + 1;
    }
    sums[left] = sum;
    ends[left] = right - 1;
    const gone = words[left] ?? 0;
    inside[gone] = (inside[gone] ?? 0) - 1;
    if ((inside[gone] ?? 0) < (index.wanted[gone] ?? 0)) sum -= weights[gone] ?? 0;
  }
  return { sums, ends };
}
