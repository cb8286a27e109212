/**
 * A text that came in pieces is put together by the engine when somebody first looks into it, all of it in one go. That
 * takes most of a millisecond for each megabyte, so each long argument has a turn of its own, before all else.
 */
import { isLarge, nextRound, yieldToLoop } from '../text/yield-to-loop';

/** The long texts among the arguments; mostly there are none. */
export function longTextsIn(given: unknown): readonly string[] {
  const found: string[] = [];
  collect(given, found);
  return found;
}

function collect(given: unknown, found: string[]): void {
  if (typeof given === 'string') {
    if (isLarge(given)) found.push(given);
  } else if (typeof given === 'object')
    for (const name in given) collect((given as Record<string, unknown>)[name], found);
}

export async function putTogether(texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await nextRound();
    text.charCodeAt(0);
  }
  await yieldToLoop();
}
