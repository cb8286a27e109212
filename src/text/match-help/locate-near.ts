/**
 * Finds the places that the sent text most likely means when no place has its words exactly. The rare words vote for
 * windows of the file; the best few windows are aligned with the sent text piece by piece; the alignment decides.
 */
import { agreement, align, pieceWeight } from './align.js';
import { cutPieces, hasLongLine, likeness, type Piece } from './pieces.js';
import { lineEnd, lineStart, overlaps, type Span } from './span.js';
import type { Survey } from './survey.js';
import { bestWindows } from './vote-windows.js';
import { type Votes, weightOf } from './word-votes.js';

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

const MAX_PIECES = 120;
const MAX_REGION_CHARS = 24_000;
const MIN_PAD_CHARS = 240;
const SHORT_PIECE_CODES = 40;
/** How well a moved piece must agree, and what of its weight it earns. */
const MOVED = 0.8;

/** Best first. */
export function locateNear(file: Survey, sent: string, votes: Votes): NearPlace[] {
  const places: NearPlace[] = [];
  for (const window of bestWindows(votes, Math.min(sent.length, MAX_REGION_CHARS / 2))) {
    for (const place of alignWindow(file, sent, window, votes)) keepBetter(places, place);
  }
  return places.sort((one, other) => other.score - one.score);
}

function keepBetter(places: NearPlace[], place: NearPlace): void {
  const index = places.findIndex((other) => overlaps(other, place));
  if (index < 0) places.push(place);
  else if ((places[index]?.score ?? 1) < place.score) places[index] = place;
}

/** The best place in the region of a window, and the best before and behind it: like blocks may stand close together. */
function alignWindow(file: Survey, sent: string, window: Span, votes: Votes): NearPlace[] {
  const region = regionAround(file.text, window, sent.length);
  const text = file.text.slice(region.start, region.end);
  const fine = hasLongLine(text);
  const mine = cutPieces(sent, { base: 0, fine }, file.table, votes.index).slice(0, MAX_PIECES);
  const theirs = cutPieces(text, { base: region.start, fine }, file.table, votes.index).slice(0, 4 * MAX_PIECES);
  const find = (pieces: Piece[]) => bestPlace(mine, pieces, fine, (word) => weightOf(votes, word));
  const best = find(theirs);
  if (!best) return [];
  const before = theirs.filter((piece) => piece.end <= best.start);
  const behind = theirs.filter((piece) => piece.start >= best.end);
  return [best, find(before), find(behind)].filter((place) => place !== undefined);
}

function bestPlace(mine: Piece[], theirs: Piece[], fine: boolean, weigh: Weigh): NearPlace | undefined {
  const { pairs, score } = align(mine, theirs, weigh);
  if (pairs.length === 0) return undefined;
  const loose = mine.filter((_, index) => !pairs.some(([sent]) => sent === index));
  const [from, to] = reach(mine, theirs, pairs, fine, weigh);
  const place = theirs.slice(from, to + 1);
  const partners = pairs.flatMap(([i, j]) => partner(mine[i], theirs[j]));
  const moved = movedScore(
    mine,
    loose,
    place.filter((_, index) => !pairs.some(([, found]) => found === from + index)),
    weigh,
  );
  return {
    start: place[0]?.start ?? 0,
    end: place.at(-1)?.end ?? 0,
    score: score + moved,
    coverage: coverageOf(mine, place),
    alike: alikeOf(mine, pairs, theirs),
    partners,
  };
}

/** What pieces earn that stand in the place, but in another order than sent. */
function movedScore(mine: readonly Piece[], loose: readonly Piece[], unpaired: readonly Piece[], weigh: Weigh): number {
  const weights = (pieces: readonly Piece[]) => pieces.reduce((sum, piece) => sum + pieceWeight(piece, weigh), 0);
  const moved = loose.filter((sent) => unpaired.some((found) => agreement(sent, found, weigh) >= MOVED));
  return (MOVED * weights(moved)) / Math.max(weights(mine), Number.EPSILON);
}

/** How much alike sent text and place are as written, by the length of the pieces. */
function alikeOf(mine: readonly Piece[], pairs: readonly [number, number][], theirs: readonly Piece[]): number {
  const size = (pieces: readonly Piece[]) => pieces.reduce((sum, { folded }) => sum + folded.length, 0);
  let alike = 0;
  for (const [i, j] of pairs) {
    const [sent, found] = [mine[i], theirs[j]];
    if (sent && found) alike += likeness(sent, found) * sent.folded.length;
  }
  return alike / Math.max(1, size(mine));
}

type Weigh = (word: number) => number;

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
  fine: boolean,
  weigh: Weigh,
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

type Pairs = readonly [number, number][];

function regionAround(text: string, window: Span, sentChars: number): Span {
  const pad = Math.min(sentChars, MAX_REGION_CHARS / 4) + MIN_PAD_CHARS;
  const start = Math.max(0, window.start - pad);
  const end = Math.min(text.length, window.end + pad, start + MAX_REGION_CHARS);
  const from = lineStart(text, start);
  const to = lineEnd(text, end);
  return { start: start - from > MIN_PAD_CHARS ? start : from, end: to - end > MIN_PAD_CHARS ? end : to };
}
