/**
 * A text that came in pieces is put together by the engine when somebody first looks into it, all of it in one go. That
 * takes most of a millisecond for each megabyte, so each long argument has a turn of its own, before all else.
 */
import { headOf, isPieced } from '../text/pieced-text';
import { isLarge, ownTurn, yieldToLoop } from '../text/yield-to-loop';
import { type Shape, takesPieces } from './shape';

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
    await ownTurn();
    text.charCodeAt(0);
  }
  await yieldToLoop();
}

/** What is longer cannot be meant where no text may come in pieces, as for a path. */
const MAX_LENGTH = 4 * 1_048_576;

/** A text that is too long to be meant. */
export interface Overlong {
  readonly parameter: string;
  readonly length: number;
}

/** The same arguments with the beginning only of such texts, which is as wrong, and the first of them. */
export function cutOverlong(given: unknown, shape: Shape | undefined): { cut: unknown; overlong?: Overlong } {
  let overlong: Overlong | undefined;
  const cut = cutMember(given, shape, 'arguments');
  return overlong ? { cut, overlong } : { cut };

  function cutMember(value: unknown, of: Shape | undefined, parameter: string): unknown {
    if (isPieced(value)) {
      if ((of && takesPieces(of)) || value.length <= MAX_LENGTH) return value;
      overlong ??= { parameter, length: value.length };
      return headOf(value);
    }
    if (Array.isArray(value))
      return value.map((one, at) => cutMember(one, of?.type === 'list' ? of.of : undefined, `${parameter}[${at}]`));
    if (typeof value !== 'object' || value === null) return value;
    const members = of?.type === 'object' ? of.members : undefined;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const known = members?.find((one) => one.name === name);
        // What no parameter is, nobody looks at.
        const isLeft = members && !known;
        const spelled = parameter === 'arguments' ? name : `${parameter}.${name}`;
        return [name, isLeft ? member : cutMember(member, known, spelled)];
      }),
    );
  }
}

/** The same arguments with strings in the place of texts in pieces, for whoever knows no other texts. */
export async function wholeTexts(given: unknown): Promise<unknown> {
  if (isPieced(given)) {
    await ownTurn();
    return given.toString();
  }
  if (typeof given !== 'object' || given === null) return given;
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(given)) members.push([name, await wholeTexts(member)]);
  return Array.isArray(given) ? members.map(([, member]) => member) : Object.fromEntries(members);
}
