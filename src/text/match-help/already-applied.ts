/**
 * Recognises an edit that was made before: the replacement is in the file, once, and long enough that this is no
 * accident; and the sent text is nowhere, or nowhere nearer than where the replacement stands.
 */

import type { Steps } from '../steps.js';
import type { NearPlace } from './best-place.js';
import { findCodes } from './find-codes.js';
import { APPLIED_HINT } from './hints.js';
import { locateFolded } from './locate-folded.js';
import type { MatchHelp } from './match-help.js';
import type { Search } from './search.js';
import { linesOf, type Span } from './span.js';
import { type Survey, surveySteps, usedCodes } from './survey.js';

const MIN_DISTINCT_CODES = 10;
/** A place elsewhere that is at least this near is what the sender means. */
const CLEARLY_NEAR = 0.8;
const MOSTLY = 0.7;

export function* findApplied(search: Search, sent: Survey, near: NearPlace | undefined): Steps<MatchHelp | undefined> {
  const { file, replacement = '' } = search;
  const target = yield* surveySteps(replacement, file.table);
  if (target.size < MIN_DISTINCT_CODES) return undefined;
  // Text that old_string has as well proves nothing.
  const inOwn = yield* findCodes(sent.codes, sent.size, usedCodes(target), { limit: 1 });
  if (inOwn.length > 0) return undefined;
  const hits = yield* locateFolded(file, target, { limit: 2 });
  const [hit] = hits;
  if (!hit || hits.length > 1) return undefined;
  if (near && near.score >= CLEARLY_NEAR && !explains(hit, near)) return undefined;
  return answerApplied(search, hit);
}

/** Whether all that differs from the sent text at this place is the replacement itself. */
function explains(hit: Span, { partners }: NearPlace): boolean {
  const mistaken = partners.filter(({ same }) => !same);
  const shared = ({ start, end }: Span) => Math.min(end, hit.end) - Math.max(start, hit.start);
  return mistaken.length > 0 && mistaken.every(({ found }) => shared(found) >= MOSTLY * (found.end - found.start));
}

/** Whether the very replacement stands at this place. */
export function isReplacement({ file, replacement }: Search, { start, end }: Span): boolean {
  return replacement !== undefined && replacement !== '' && file.text.slice(start, end) === replacement;
}

export function answerApplied({ lines }: Search, hit: Span): MatchHelp {
  return { reason: 'already_applied', ...linesOf(lines, hit), hint: APPLIED_HINT };
}
