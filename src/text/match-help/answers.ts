/**
 * Puts answers together from located places: the reason by what differs there, the exact text that can be sent, the
 * sentence, and a second place when it is close.
 */
import type { Steps } from '../steps.js';
import { answerApplied, isReplacement } from './already-applied.js';
import { differenceHint, linesHint, linesText, partHint, SIMILAR_HINT, severalHint } from './hints.js';
import type { MatchHelp, MatchReason, OtherPlace } from './match-help.js';
import { type Difference, nameDifference, reasonsOf } from './name-difference.js';
import { changedPart, type Part, partThatMatters } from './part-that-matters.js';
import { quotePlace } from './quote-place.js';
import type { Search } from './search.js';
import { linesOf, type Span } from './span.js';
import { type Survey, surveySteps, unitStart, unitsBefore } from './survey.js';

/** How much text is compared in all, to tell which of several places is meant. */
const MAX_COMPARED_CODES = 400_000;
const MAX_OTHERS = 3;
const MAX_OTHER_CHARS = 400;

/** Places that have the very codes of the sent text. The one with the fewest differences is meant. */
export function* answerAt(
  search: Search,
  sent: Survey,
  hits: readonly Span[],
  decoration: MatchReason[],
): Steps<MatchHelp> {
  const ranked: Ranked[] = [];
  for (const span of hits.slice(0, Math.max(2, Math.floor(MAX_COMPARED_CODES / sent.size))))
    ranked.push({ span, difference: yield* differenceAt(search, sent, span) });
  ranked.sort((one, other) => one.difference.total - other.difference.total);
  const [first] = ranked as [Ranked];
  if (isReplacement(search, first.span)) return answerApplied(search, first.span);
  const reasons = [...decoration, ...reasonsOf(first.difference)];
  if (reasons.length === 0) reasons.push('similar');
  const rivals = ranked.filter(({ difference }) => difference.total === first.difference.total);
  if (rivals.length > 1)
    return yield* answerSeveral(
      search,
      reasons,
      rivals.map(({ span }) => span),
    );
  return yield* quote(search, reasons, first.span, yield* partOf(search, sent, first.span));
}

function* partOf({ file, replacement }: Search, sent: Survey, span: Span): Steps<Part> {
  const found = yield* surveySteps(file.text.slice(span.start, span.end), file.table);
  const toFile = (at: number) => span.start + unitStart(found, unitsBefore(sent, at));
  return partThatMatters(file.text, span, yield* changedPart(sent, replacement), toFile);
}

/** When the text, put right, fits several places: none is claimed, the sender chooses. */
export function* answerSeveral(
  search: Search,
  reasons: readonly MatchReason[],
  places: readonly Span[],
): Steps<MatchHelp> {
  const also: OtherPlace[] = [];
  for (const place of places.slice(0, MAX_OTHERS)) also.push(yield* otherPlace(search, place));
  return { reason: reasons[0] ?? 'similar', hint: severalHint(reasons, places.length), also };
}

interface Ranked {
  span: Span;
  difference: Difference;
}

function* differenceAt(search: Search, sent: Survey, { start, end }: Span): Steps<Difference> {
  return yield* nameDifference(sent, yield* surveySteps(search.file.text.slice(start, end), search.file.table));
}

/** Quotes a part of the place and says so; without a text that occurs once, names the lines. */
export function* quote(
  search: Search,
  reasons: MatchReason[],
  place: Span,
  part: Part,
  hint?: string,
): Steps<MatchHelp> {
  const [reason = 'similar'] = reasons;
  const quoted = yield* quotePlace(search, part);
  const lines = linesText(linesOf(search.lines, place));
  if (quoted.old_string === undefined)
    return { reason, ...linesOf(search.lines, place), hint: linesHint(reasons, lines) };
  if (!part.whole) return { reason, ...quoted, hint: partHint(reasons, lines) };
  return { reason, ...quoted, hint: hint ?? (reason === 'similar' ? SIMILAR_HINT : differenceHint(reasons)) };
}

/** A place named beside another, quoted only as long as the answer stays short. */
export function* otherPlace(search: Search, place: Span): Steps<OtherPlace> {
  const quoted = yield* quotePlace(search, place);
  const { start_line, end_line, old_string } = quoted;
  return old_string === undefined || JSON.stringify(old_string).length <= MAX_OTHER_CHARS
    ? quoted
    : { start_line, end_line };
}
