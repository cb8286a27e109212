/**
 * Finds the places that the sent text most likely means when no place has its words exactly. The rare words vote for
 * windows of the file; the best few windows are aligned with the sent text piece by piece; the alignment decides.
 */
import type { Steps } from '../steps.js';
import { bestPlace, type NearPlace } from './best-place.js';
import { cutPieces, hasLongLine, type Piece } from './pieces.js';
import { lineEnd, lineStart, overlaps, type Span } from './span.js';
import type { Survey } from './survey.js';
import { bestWindows } from './vote-windows.js';
import { type Votes, weightOf } from './word-votes.js';

const MAX_PIECES = 120;
const MAX_REGION_CHARS = 24_000;
const MIN_PAD_CHARS = 240;

/** Best first. */
export function* locateNear(file: Survey, sent: string, votes: Votes): Steps<NearPlace[]> {
  const places: NearPlace[] = [];
  for (const window of bestWindows(votes, Math.min(sent.length, MAX_REGION_CHARS / 2))) {
    for (const place of yield* alignWindow(file, sent, window, votes)) keepBetter(places, place);
  }
  return places.sort((one, other) => other.score - one.score);
}

function keepBetter(places: NearPlace[], place: NearPlace): void {
  const index = places.findIndex((other) => overlaps(other, place));
  if (index < 0) places.push(place);
  else if ((places[index]?.score ?? 1) < place.score) places[index] = place;
}

/** The best place in the region of a window, and the best before and behind it: like blocks may stand close together. */
function* alignWindow(file: Survey, sent: string, window: Span, votes: Votes): Steps<NearPlace[]> {
  const region = regionAround(file.text, window, sent.length);
  const text = file.text.slice(region.start, region.end);
  const fine = hasLongLine(text);
  const mine = cutPieces(sent, { base: 0, fine }, file.table, votes.index).slice(0, MAX_PIECES);
  const theirs = cutPieces(text, { base: region.start, fine }, file.table, votes.index).slice(0, 4 * MAX_PIECES);
  const find = (pieces: Piece[]) => bestPlace(mine, pieces, { fine, weigh: (word) => weightOf(votes, word) });
  yield;
  const best = yield* find(theirs);
  yield;
  if (!best) return [];
  const before = yield* find(theirs.filter((piece) => piece.end <= best.start));
  yield;
  const behind = yield* find(theirs.filter((piece) => piece.start >= best.end));
  return [best, before, behind].filter((place) => place !== undefined);
}

function regionAround(text: string, window: Span, sentChars: number): Span {
  const pad = Math.min(sentChars, MAX_REGION_CHARS / 4) + MIN_PAD_CHARS;
  const start = Math.max(0, window.start - pad);
  const end = Math.min(text.length, window.end + pad, start + MAX_REGION_CHARS);
  const from = lineStart(text, start);
  const to = lineEnd(text, end);
  return { start: start - from > MIN_PAD_CHARS ? start : from, end: to - end > MIN_PAD_CHARS ? end : to };
}
