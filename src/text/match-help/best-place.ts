/**
 * The best place for the sent pieces within a row of pieces of the file: where the alignment puts them, widened by
 * neighbours that belong to it, with the figures by which places are judged.
 */
import type { Steps } from '../steps.js';
import { agreement, align, pieceWeight } from './align.js';
import { likeness, type Piece } from './pieces.js';
import type { Span } from './span.js';

export interface NearPlace extends Span {
  /** From 0 to 1: how much of what tells was found there. */
  score: number;
  /** From 0 to 1: how many of the sent words stand there. */
  coverage: number;
  /** From 0 to 1: how much alike sent text and place are as written. */
  alike: number;
  /** Sent text and its partner in the file, piece by piece. */
  partners: { sent: Span; found: Span; same: boolean }[];
}

type Weigh = (word: number) => number;
type Pairs = readonly [number, number][];

interface Judging {
  /** The pieces are statements, not lines. */
  fine: boolean;
  /** How much a word tells. */
  weigh: Weigh;
}

const SHORT_PIECE_CODES = 40;
/** How well a moved piece must agree, and what of its weight it earns. */
const MOVED = 0.8;

export function* bestPlace(mine: Piece[], theirs: Piece[], { fine, weigh }: Judging): Steps<NearPlace | undefined> {
  const { pairs, score } = yield* align(mine, theirs, weigh);
  if (pairs.length === 0) return undefined;
  const loose = mine.filter((_, index) => !pairs.some(([sent]) => sent === index));
  const [from, to] = reach(mine, theirs, pairs, { fine, weigh });
  yield;
  const place = theirs.slice(from, to + 1);
  const unpaired = place.filter((_, index) => !pairs.some(([, found]) => found === from + index));
  return {
    start: place[0]?.start ?? 0,
    end: place.at(-1)?.end ?? 0,
    score: score + movedScore(mine, loose, unpaired, weigh),
    coverage: coverageOf(mine, place),
    alike: alikeOf(mine, pairs, theirs),
    partners: pairs.flatMap(([i, j]) => partner(mine[i], theirs[j])),
  };
}

/** What pieces earn that stand in the place, but in another order than sent. */
function movedScore(mine: readonly Piece[], loose: readonly Piece[], unpaired: readonly Piece[], weigh: Weigh): number {
  const weights = (pieces: readonly Piece[]) => pieces.reduce((sum, piece) => sum + pieceWeight(piece, weigh), 0);
  const moved = loose.filter((sent) => unpaired.some((found) => agreement(sent, found, weigh) >= MOVED));
  return (MOVED * weights(moved)) / Math.max(weights(mine), Number.EPSILON);
}

/** How much alike sent text and place are as written, by the length of the pieces. */
function alikeOf(mine: readonly Piece[], pairs: Pairs, theirs: readonly Piece[]): number {
  const size = (pieces: readonly Piece[]) => pieces.reduce((sum, { folded }) => sum + folded.length, 0);
  let alike = 0;
  for (const [i, j] of pairs) {
    const [sent, found] = [mine[i], theirs[j]];
    if (sent && found) alike += likeness(sent, found) * sent.folded.length;
  }
  return alike / Math.max(1, size(mine));
}

function coverageOf(mine: readonly Piece[], theirs: readonly Piece[]): number {
  const sent = new Set(mine.flatMap(({ words }) => [...words]));
  const found = new Set(theirs.flatMap(({ words }) => [...words]));
  return sent.size === 0 ? 1 : [...sent].filter((word) => found.has(word)).length / sent.size;
}

function partner(mine: Piece | undefined, theirs: Piece | undefined): NearPlace['partners'] {
  if (!mine || !theirs) return [];
  const sent = { start: mine.start, end: mine.end };
  return [{ sent, found: { start: theirs.start, end: theirs.end }, same: likeness(mine, theirs) === 1 }];
}

/**
 * Sent pieces without a partner may stand for neighbours that changed or moved: such neighbours are taken along. A
 * moved line is known by its words; statements within a line are too short for that and are taken by count.
 */
function reach(
  mine: readonly Piece[],
  theirs: readonly Piece[],
  pairs: Pairs,
  { fine, weigh }: Judging,
): [number, number] {
  const loose = mine.filter((_, index) => !pairs.some(([sent]) => sent === index));
  const [firstSent, firstFound] = pairs[0] ?? [0, 0];
  const [lastSent, lastFound] = pairs.at(-1) ?? [0, 0];
  const takes = (found: Piece | undefined) => {
    if (!found) return false;
    return fine ? found.folded.length <= SHORT_PIECE_CODES : loose.some((sent) => agreement(sent, found, weigh) > 0);
  };
  let from = firstFound;
  for (let left = fine ? firstSent : loose.length; left > 0 && takes(theirs[from - 1]); left--) from--;
  let to = lastFound;
  for (let left = fine ? mine.length - 1 - lastSent : loose.length; left > 0 && takes(theirs[to + 1]); left--) to++;
  return [from, to];
}
