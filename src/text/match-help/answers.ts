/**
 * Puts answers together from located places: the reason by what differs there, the exact text that can be sent, the
 * sentence, and a second place when it is close.
 */
import { answerApplied, isReplacement } from './already-applied.js';
import { isElision } from './elision.js';
import { differenceHint, ELIDED_HINT, linesHint, linesText, partHint, SIMILAR_HINT, severalHint } from './hints.js';
import { locateFolded } from './locate-folded.js';
import type { MatchHelp, MatchReason } from './match-help.js';
import { type Difference, nameDifference, reasonsOf } from './name-difference.js';
import { changedPart, type Part, partThatMatters } from './part-that-matters.js';
import { type QuotedPlace, quotePlace } from './quote-place.js';
import type { Search } from './search.js';
import { linesOf, type Span } from './span.js';
import { type Survey, survey, unitStart } from './survey.js';

/** How much text is compared in all, to tell which of several places is meant. */
const MAX_COMPARED_CODES = 400_000;
/** A second place is quoted only as long as the answer stays short. */
const MAX_SECOND_QUOTE_CHARS = 400;

/** Places that have the very codes of the sent text. The one with the fewest differences is meant. */
export function answerAt(search: Search, sent: Survey, hits: readonly Span[], decoration: MatchReason[]): MatchHelp {
  const ranked = hits
    .slice(0, Math.max(2, Math.floor(MAX_COMPARED_CODES / sent.size)))
    .map((span) => ({ span, difference: differenceAt(search, sent, span) }))
    .sort((one, other) => one.difference.total - other.difference.total);
  const [first, second] = ranked as [Ranked, Ranked | undefined];
  if (isReplacement(search, first.span)) return answerApplied(search, first.span);
  const reasons = [...decoration, ...reasonsOf(first.difference)];
  if (reasons.length === 0) reasons.push('similar');
  const changed = changedPart(sent, search.replacement);
  const found = survey(search.file.text.slice(first.span.start, first.span.end), search.file.table);
  const toFile = (at: number) =>
    first.span.start + unitStart(found, survey(sent.text.slice(0, at), search.file.table).size);
  const part = partThatMatters(search.file.text, first.span, changed, toFile);
  if (!second || second.difference.total > first.difference.total) return quote(search, reasons, first.span, part);
  const answer = quote(search, reasons, first.span, part);
  const places = hits.length > 2 ? 'several places' : 'two places';
  return withSecond({ ...answer, hint: severalHint(reasons, places) }, quotePlace(search.file.text, second.span));
}

interface Ranked {
  span: Span;
  difference: Difference;
}

function differenceAt(search: Search, sent: Survey, { start, end }: Span): Difference {
  return nameDifference(sent, survey(search.file.text.slice(start, end), search.file.table));
}

/** The place of text sent with a gap; it is needed whole unless the replacement has the gap too. */
export function answerElided(search: Search, sent: string, places: readonly Span[]): MatchHelp {
  const [place, second] = places as [Span, Span | undefined];
  const text = search.file.text;
  const keepsGap = search.replacement?.split('\n').some(isElision) === true;
  const changed = keepsGap ? changedPart(survey(sent, search.file.table), search.replacement) : undefined;
  const lines = changed && survey(sent.slice(changed.start, changed.end), search.file.table);
  const inside = survey(text.slice(place.start, place.end), search.file.table);
  const hit = lines && locateFolded(inside, lines, { limit: 1 })[0];
  const target = hit ? { start: place.start + hit.start, end: place.start + hit.end } : place;
  const part = partThatMatters(text, place, hit && { start: 0, end: 1 }, (at) =>
    at === 0 ? target.start : target.end,
  );
  const answer = quote(search, ['elided'], place, part, ELIDED_HINT);
  return second ? withSecond(answer, linesOf(text, second)) : answer;
}

/** Quotes a part of the place and says so; without a text that occurs once, names the lines. */
export function quote(search: Search, reasons: MatchReason[], place: Span, part: Part, hint?: string): MatchHelp {
  const [reason = 'similar'] = reasons;
  const quoted = quotePlace(search.file.text, part);
  const lines = linesText(linesOf(search.file.text, place));
  if (quoted.old_string === undefined)
    return { reason, ...linesOf(search.file.text, place), hint: linesHint(reasons, lines) };
  if (!part.whole) return { reason, ...quoted, hint: partHint(reasons, lines) };
  return { reason, ...quoted, hint: hint ?? (reason === 'similar' ? SIMILAR_HINT : differenceHint(reasons)) };
}

export function withSecond(answer: MatchHelp, { start_line, end_line, old_string }: QuotedPlace): MatchHelp {
  const short = old_string !== undefined && JSON.stringify(old_string).length <= MAX_SECOND_QUOTE_CHARS;
  return { ...answer, also: short ? { start_line, end_line, old_string } : { start_line, end_line } };
}
