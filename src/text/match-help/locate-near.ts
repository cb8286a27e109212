/**
 * Finds the places that the sent text most likely means when no place has its words exactly. The rare words vote for
 * windows of the file; the best few windows are aligned with the sent text piece by piece; the alignment decides.
 */
import { agreement, align } from './align.js';
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
  /** Sent text and its partner in the file, piece by piece. */
  partners: { sent: Span; found: Span; same: boolean }[];
}

const MAX_PIECES = 120;
const MAX_REGION_CHARS = 24_000;
const MIN_PAD_CHARS = 240;
const SHORT_PIECE_CODES = 40;

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

function bestPlace(
  mine: Piece[],
  theirs: Piece[],
  fine: boolean,
  weigh: (word: number) => number,
): NearPlace | undefined {
  const { pairs, score } = align(mine, theirs, weigh);
  const [first, last] = [pairs[0], pairs.at(-1)];
  if (!first || !last) return undefined;
  const [from, to] = reach(mine, theirs, first, last, fine ? anyShort : (a, b) => agreement(a, b, weigh) > 0);
  const partners = pairs.flatMap(([i, j]) => partner(mine[i], theirs[j]));
  const coverage = coverageOf(mine, theirs.slice(from, to + 1));
  return { start: theirs[from]?.start ?? 0, end: theirs[to]?.end ?? 0, score, coverage, partners };
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

/** Sent pieces that stay without a partner at either end may stand for neighbours that changed: take those along. */
function reach(
  mine: Piece[],
  theirs: Piece[],
  first: [number, number],
  last: [number, number],
  answers: Answers,
): [number, number] {
  const [before, after] = [mine.slice(0, first[0]), mine.slice(last[0] + 1)];
  const belongs = (index: number) => {
    const neighbour = theirs[index];
    return neighbour !== undefined && [...before, ...after].some((piece) => answers(piece, neighbour));
  };
  let [from, to] = [first[1], last[1]];
  for (let left = before.length; left > 0 && belongs(from - 1); left--) from--;
  for (let left = after.length; left > 0 && belongs(to + 1); left--) to++;
  return [from, to];
}

type Answers = (sent: Piece, found: Piece) => boolean;

/** Statements within a line are too short to be judged one by one. */
const anyShort: Answers = (_, found) => found.folded.length <= SHORT_PIECE_CODES;

function regionAround(text: string, window: Span, sentChars: number): Span {
  const pad = Math.min(sentChars, MAX_REGION_CHARS / 4) + MIN_PAD_CHARS;
  const start = Math.max(0, window.start - pad);
  const end = Math.min(text.length, window.end + pad, start + MAX_REGION_CHARS);
  const from = lineStart(text, start);
  const to = lineEnd(text, end);
  return { start: start - from > MIN_PAD_CHARS ? start : from, end: to - end > MIN_PAD_CHARS ? end : to };
}
