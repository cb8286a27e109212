import type { Steps } from '../steps.js';
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
export function* answerElided(search: Search, sent: string, places: readonly Span[]): Steps<MatchHelp> {
  const [place] = places as [Span];
  if (places.length > 1) return yield* answerSeveral(search, ['elided'], places);
  const text = search.file.text;
  const keepsGap = search.replacement !== undefined && (yield* hasGap(search.replacement));
  const changed = keepsGap ? yield* changedPart(survey(sent, search.file.table), search.replacement) : undefined;
  const lines = changed && survey(sent.slice(changed.start, changed.end), search.file.table);
  const inside = survey(text.slice(place.start, place.end), search.file.table);
  const hit = lines && (yield* locateFolded(inside, lines, { limit: 1 }))[0];
  const target = hit ? { start: place.start + hit.start, end: place.start + hit.end } : place;
  const part = partThatMatters(text, place, hit && { start: 0, end: 1 }, (at) =>
    at === 0 ? target.start : target.end,
  );
  return yield* quote(search, ['elided'], place, part, ELIDED_HINT);
}
