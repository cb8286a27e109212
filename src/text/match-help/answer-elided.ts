import { runAtOnce } from '../steps.js';
import { answerSeveral, quote } from './answers.js';
import { hasGap } from './elision.js';
import { ELIDED_HINT } from './hints.js';
import { locateFolded } from './locate-folded.js';
import type { MatchHelp } from './match-help.js';
import { changedPart, partThatMatters } from './part-that-matters.js';
import type { Search } from './search.js';
import type { Span } from './span.js';
import { survey } from './survey.js';

/** The place of text sent with a gap; it is needed whole unless the replacement has the gap too. */
export function answerElided(search: Search, sent: string, places: readonly Span[]): MatchHelp {
  const [place] = places as [Span];
  if (places.length > 1) return answerSeveral(search, ['elided'], places);
  const text = search.file.text;
  const keepsGap = search.replacement !== undefined && hasGap(search.replacement);
  const changed = keepsGap ? changedPart(survey(sent, search.file.table), search.replacement) : undefined;
  const lines = changed && survey(sent.slice(changed.start, changed.end), search.file.table);
  const inside = survey(text.slice(place.start, place.end), search.file.table);
  const hit = lines && runAtOnce(locateFolded(inside, lines, { limit: 1 }))[0];
  const target = hit ? { start: place.start + hit.start, end: place.start + hit.end } : place;
  const part = partThatMatters(text, place, hit && { start: 0, end: 1 }, (at) =>
    at === 0 ? target.start : target.end,
  );
  return quote(search, ['elided'], place, part, ELIDED_HINT);
}
