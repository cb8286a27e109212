/**
 * Aligns the pieces of the sent text with those of a region of the file, in order: each pair of like pieces earns the
 * weight of the sent piece times their likeness, a piece of the region passed over in between costs a little, and the
 * best chain wins (local alignment after Smith and Waterman). Rare words weigh most, so that one identifier decides
 * between blocks that are otherwise the same.
 */
import type { Steps } from '../steps.js';
import { likeness, type Piece } from './pieces.js';

export interface Alignment {
  /** Indexes of a sent piece and of its partner, in order. */
  pairs: [number, number][];
  /** The earned part of what a perfect partner would earn, from 0 to 1. */
  score: number;
}

const MIN_LIKENESS = 0.42;
const SKIP_COST = 0.05;
const BASE_WEIGHT = 0.25;
/** A lone brace says little about where it stands. */
const TINY_CODES = 3;
const TINY_WEIGHT = 0.12;
const STOP = 0;
const PAIR = 1;
const SKIP_SENT = 2;
const SKIP_REGION = 3;

export function* align(
  sent: readonly Piece[],
  region: readonly Piece[],
  weigh: (word: number) => number,
): Steps<Alignment> {
  const width = region.length + 1;
  const best = new Float64Array((sent.length + 1) * width);
  const moves = new Uint8Array(best.length);
  const weights = sent.map((piece) => pieceWeight(piece, weigh));
  let top = 0;
  for (let i = 1; i <= sent.length; i++) {
    const piece = sent[i - 1] as Piece;
    for (let j = 1; j <= region.length; j++) {
      const cell = i * width + j;
      const earned = (weights[i - 1] ?? 0) * agreement(piece, region[j - 1] as Piece, weigh);
      const options = [
        0,
        earned > 0 ? (best[cell - width - 1] ?? 0) + earned : 0,
        best[cell - width] ?? 0,
        (best[cell - 1] ?? 0) - SKIP_COST,
      ];
      const move = options.indexOf(Math.max(...options));
      best[cell] = options[move] ?? 0;
      moves[cell] = move;
      if ((best[cell] ?? 0) > (best[top] ?? 0) + 1e-9) top = cell;
    }
    yield;
  }
  const possible = weights.reduce((sum, weight) => sum + weight, 0);
  return { pairs: traceBack(moves, width, top), score: possible === 0 ? 0 : (best[top] ?? 0) / possible };
}

export function pieceWeight(piece: Piece, weigh: (word: number) => number): number {
  if (piece.folded.length <= TINY_CODES) return TINY_WEIGHT;
  let rare = 0;
  for (const word of piece.words) rare += weigh(word);
  return BASE_WEIGHT + Math.min(1, rare) * Math.min(1, piece.folded.length / 8);
}

/** How well a piece of the file answers to a sent one: as written, and by the words that tell. */
export function agreement(sent: Piece, found: Piece, weigh: (word: number) => number): number {
  const alike = likeness(sent, found);
  if (alike === 1) return 1;
  let possible = 0;
  let shared = 0;
  for (const word of sent.words) {
    const weight = weigh(word);
    possible += weight;
    if (found.words.has(word)) shared += weight;
  }
  const total = possible > 0 ? 0.5 * alike + (0.5 * shared) / possible : alike;
  return total >= MIN_LIKENESS ? total : 0;
}

function traceBack(moves: Uint8Array, width: number, top: number): [number, number][] {
  const pairs: [number, number][] = [];
  let cell = top;
  while (cell > 0 && moves[cell] !== STOP) {
    const move = moves[cell];
    if (move === PAIR) pairs.push([Math.floor(cell / width) - 1, (cell % width) - 1]);
    cell -= move === PAIR ? width + 1 : move === SKIP_SENT ? width : move === SKIP_REGION ? 1 : cell;
  }
  return pairs.reverse();
}
