/**
 * A text that came in pieces is put together by the engine when somebody first looks into it, all of it in one go. That
 * takes most of a millisecond for each megabyte, so each long argument has a turn of its own, before all else.
 */
import { isLarge, nextRound, yieldToLoop } from '../text/yield-to-loop';

/** The long texts among the arguments; mostly there are none. */
export function longTextsIn(given: unknown): readonly string[] {
  if (typeof given === 'string') return isLarge(given) ? [given] : NONE;
  if (typeof given !== 'object' || given === null) return NONE;
  let found = NONE;
  for (const value of Object.values(given)) {
    const inside = longTextsIn(value);
    if (inside.length > 0) found = [...found, ...inside];
  }
  return found;
}

const NONE: readonly string[] = [];

export async function putTogether(texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await nextRound();
    text.charCodeAt(0);
  }
  await yieldToLoop();
}
