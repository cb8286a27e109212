/**
 * Explains why an `old_string` is not in a file, so that the answer alone suffices for the next try.
 *
 * 1. The file is walked once (`survey`) and becomes folded codes, in which the known mistakes do not show.
 * 2. The sent text, and its readings without copied decoration, are looked up by folded codes. A hit is certain, and
 *    what differs there names the reason (`name-difference`).
 * 3. Then text with a gap (`elision`).
 * 4. Otherwise the words that are rare in the file choose the nearest places and an alignment judges them
 *    (`locate-near`). When the replacement stands there already, that is the answer; when two places are as near,
 *    neither is claimed.
 *
 * Everything is linear in file and text, or bounded by constants.
 */
import { LineIndex } from '../lines.js';
import { mapPieces } from '../map-pieces.js';
import { runAtOnce, type Steps } from '../steps.js';
import { findApplied } from './already-applied.js';
import { answerElided } from './answer-elided.js';
import { answerNear } from './answer-near.js';
import { answerAt } from './answers.js';
import { locateElided, partsOf } from './elision.js';
import { focusOf } from './focus.js';
import { createFoldTable } from './fold.js';
import { BLANK_HINT, CUT_HINT, ELIDED_HINT } from './hints.js';
import { locateFolded } from './locate-folded.js';
import { locateNear } from './locate-near.js';
import type { MatchHelp } from './match-help.js';
import { type Reading, readingsOf } from './readings.js';
import type { Search } from './search.js';
import { type Survey, surveySteps } from './survey.js';
import { countVotes, indexWords } from './word-votes.js';

export type { MatchHelp, MatchReason, OtherPlace } from './match-help.js';

const MAX_HITS = 64;

export function explainMismatch(content: string, wanted: string, replacement: string | undefined): MatchHelp {
  return runAtOnce(explainSteps(content, wanted, replacement));
}

export function* explainSteps(content: string, wanted: string, replacement: string | undefined): Steps<MatchHelp> {
  const table = createFoldTable();
  yield;
  const readings = yield* readingsOf(wanted);
  const plain = yield* surveySteps(yield* plainest(readings), table);
  if (plain.size === 0) return { reason: 'not_there', hint: BLANK_HINT };
  const lines = new LineIndex(content);
  yield* lines.prepare();
  const search: Search = { file: yield* surveySteps(content, table), lines, replacement };
  return (yield* byCodes(search, readings, plain)) ?? (yield* elided(search, plain)) ?? (yield* nearest(search, plain));
}

function* byCodes(search: Search, readings: readonly Reading[], plain: Survey): Steps<MatchHelp | undefined> {
  for (const { text, reason } of readings) {
    const sent = text === plain.text ? plain : yield* surveySteps(text, search.file.table);
    const hits = yield* locateFolded(search.file, sent, { limit: MAX_HITS });
    if (hits.length > 0) return yield* answerAt(search, sent, hits, reason ? [reason] : []);
  }
  return undefined;
}

function* elided(search: Search, { text: plain }: Survey): Steps<MatchHelp | undefined> {
  const places = yield* locateElided(search.file, yield* partsOf(plain, search.file.text));
  yield;
  return places.length > 0 ? yield* answerElided(search, plain, places) : undefined;
}

function* nearest(search: Search, plain: Survey): Steps<MatchHelp> {
  const focus = yield* focusOf(plain, search.replacement);
  const votes = yield* countVotes(search.file.text, indexWords(focus));
  const places = yield* locateNear(search.file, focus, votes);
  yield;
  const applied = yield* findApplied(search, plain, places[0]);
  if (applied) return applied;
  const answer = yield* answerNear(search, focus, votes, places);
  if (answer.old_string === undefined) return answer;
  if (focus !== plain.text) return { ...answer, hint: CUT_HINT };
  const parts = yield* partsOf(focus, search.file.text);
  return parts.length > 0 ? { ...answer, reason: 'elided', hint: ELIDED_HINT } : answer;
}

/** The reading with least decoration; escaped line breaks become real ones when there are no others. */
function* plainest(readings: readonly Reading[]): Steps<string> {
  const text = readings.findLast(({ reason }) => reason === 'line_numbers')?.text ?? readings[0]?.text ?? '';
  if (text.includes('\n')) return text;
  const withBreaks = yield* mapPieces(text, '\\n', (piece) => piece.split('\\n').join('\n'));
  return yield* mapPieces(withBreaks, '\\t', (piece) => piece.split('\\t').join('\t'));
}
