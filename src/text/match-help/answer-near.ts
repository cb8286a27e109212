/**
 * Judges the nearest places. One that is near enough and clearly nearer than the next is given; when two are as near,
 * neither is claimed, because a wrong place costs more than no place.
 */
import type { Steps } from '../steps.js';
import { otherPlace, quote } from './answers.js';
import type { NearPlace } from './best-place.js';
import { NOT_THERE_HINT, tiedHint } from './hints.js';
import type { MatchHelp } from './match-help.js';
import { changedPart, partThatMatters } from './part-that-matters.js';
import type { Search } from './search.js';
import { linesOf, type Span } from './span.js';
import { survey } from './survey.js';
import { missingWords, tellBySpelling } from './tell-by-spelling.js';
import type { Votes } from './word-votes.js';

/** Below these a place has too little in common with what was sent; few words must be made up for by the letters. */
const MIN_SCORE = 0.6;
const MIN_COVERAGE = 0.3;
const MIN_ALIKE = 0.45;
const VERY_ALIKE = 0.75;
/** Two places whose scores differ by less are as near; by less than the second, when no more words speak for one. */
const TIE = 0.035;
const TIE_IN_WORDS = 0.2;
/** A second place this close behind the first is named. */
const CLOSE = 0.15;
const MAX_RIVALS = 3;

export function* answerNear(
  search: Search,
  sent: string,
  votes: Votes,
  places: readonly NearPlace[],
): Steps<MatchHelp> {
  const [best] = places;
  if (!best || !isNear(best)) return { reason: 'not_there', hint: NOT_THERE_HINT };
  const rivals = places.filter((place) => isRival(best, place));
  const missing = missingWords(sent, votes);
  const first = rivals.length > 1 ? tellBySpelling(search.file.text, missing, rivals) : best;
  if (!first) return answerTied(search, missing, rivals);
  const second = places.find((place) => place !== first);
  const changed = yield* changedPart(survey(sent, search.file.table), search.replacement);
  const matters = changed && widenByMistakes(first, changed);
  const part = partThatMatters(search.file.text, first, matters, (at) => partnerOf(first, at));
  const answer = yield* quote(search, ['similar'], first, part);
  const close = second && first.score - second.score < CLOSE && isNear(second);
  return close ? { ...answer, also: [yield* otherPlace(search, second)] } : answer;
}

function isNear({ score, coverage, alike }: NearPlace): boolean {
  return score >= MIN_SCORE && alike >= (coverage >= MIN_COVERAGE ? MIN_ALIKE : VERY_ALIKE);
}

function isRival(first: NearPlace, other: NearPlace): boolean {
  const ahead = first.score - other.score;
  return ahead < TIE || (ahead < TIE_IN_WORDS && first.coverage <= other.coverage);
}

function answerTied({ lines }: Search, missing: readonly string[], rivals: readonly NearPlace[]): MatchHelp {
  const also = rivals.slice(0, MAX_RIVALS).map((place) => linesOf(lines, place));
  return { reason: 'not_there', hint: tiedHint(missing.slice(0, 2)), also };
}

/** The changed part of the sent text, and the pieces in which the file differs from it. */
function widenByMistakes({ partners }: NearPlace, changed: Span): Span {
  const mistaken = partners.filter(({ same }) => !same).map(({ sent }) => sent);
  return {
    start: Math.min(changed.start, ...mistaken.map(({ start }) => start)),
    end: Math.max(changed.end, ...mistaken.map(({ end }) => end)),
  };
}

/** Where a position of the sent text stands in the file: at its last partner that begins before it. */
function partnerOf({ partners, start }: NearPlace, at: number): number {
  return partners.findLast(({ sent }) => sent.start <= at)?.found.start ?? start;
}
