/**
 * A text that came in pieces is put together by the engine when somebody first looks into it, all of it in one go. That
 * takes most of a millisecond for each megabyte, so each long argument has a turn of its own, before all else.
 */
import { isPieced } from '../text/pieced-text';
import { isLarge, nextRound, yieldToLoop } from '../text/yield-to-loop';

/** The long texts among the arguments; mostly there is none, and then this must take no time. */
export function longTextsIn(given: unknown): readonly string[] | undefined {
  let found: string[] | undefined;
  for (const name in given as object) {
    const value = (given as Record<string, unknown>)[name];
    if (typeof value === 'string') {
      if (isLarge(value)) found = [...(found ?? []), value];
    } else if (typeof value === 'object' && !isPieced(value)) {
      const inside = longTextsIn(value);
      if (inside) found = [...(found ?? []), ...inside];
    }
  }
  return found;
}

export async function putTogether(texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await nextRound();
    text.charCodeAt(0);
  }
  await yieldToLoop();
}

/** The same arguments with strings in the place of texts in pieces, for whoever knows no other texts. */
export async function wholeTexts(given: unknown): Promise<unknown> {
  if (isPieced(given)) {
    await nextRound();
    return given.toString();
  }
  if (typeof given !== 'object' || given === null) return given;
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(given)) members.push([name, await wholeTexts(member)]);
  return Array.isArray(given) ? members.map(([, member]) => member) : Object.fromEntries(members);
}
