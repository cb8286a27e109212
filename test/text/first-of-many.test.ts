import { expect, it } from 'vitest';
import { FirstOfMany, sortBytewise } from '../../src/text/first-of-many';

/** In an order that has nothing to do with the alphabet; all different. */
const shuffled = (count: number, name: (number: number) => string) =>
  Array.from({ length: count }, (_, at) => name((at * 7919) % count));
const inBytes = (texts: readonly string[]) =>
  [...texts].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

const NAMES: Record<string, (number: number) => string> = {
  plain: (number) => `entry-${number}`,
  'of one letter, longer and longer': (number) => 'a'.repeat(number % 400) + number,
  'above the surrogates': (number) => `\uff5e${number}`,
  'with surrogates': (number) => `\u{1f600}${number}`,
  mixed: (number) => `${['z', '\u{1f600}', '\uff5e', 'é', ''][number % 5]}${number}`,
};
const ORDERS: Record<string, (texts: string[]) => string[]> = {
  'in any order': (texts) => texts,
  'in order': (texts) => inBytes(texts),
  backwards: (texts) => inBytes(texts).reverse(),
};

/** What is thought to be first, in order, given what is. */
const GUESSES: Record<string, (sorted: readonly string[], count: number) => readonly string[]> = {
  right: (sorted, count) => sorted.slice(0, count),
  'too few': (sorted, count) => sorted.slice(0, count / 2),
  'others in between': (sorted, count) => sorted.slice(0, count).filter((_, at) => at % 7 !== 3),
  'gone since': (sorted, count) => inBytes([...sorted.slice(0, count / 2), 'gone', '']).slice(0, count),
  'the last instead': (sorted, count) => sorted.slice(-count),
};

/** Anew without the guess where that was too far off, as whoever chooses has to. */
function choose(texts: readonly string[], count: number, likely?: readonly string[]) {
  return (
    tryToChoose(texts, count, likely) ?? (tryToChoose(texts, count) as { first: readonly string[]; isCut: boolean })
  );
}

function tryToChoose(texts: readonly string[], count: number, likely?: readonly string[]) {
  const chosen = new FirstOfMany(count, likely);
  for (const text of texts) chosen.offer(text);
  return chosen.take();
}

for (const [kind, name] of Object.entries(NAMES))
  for (const [order, put] of Object.entries(ORDERS))
    it(`the first of names that are ${kind} and come ${order}`, () => {
      const texts = put(shuffled(6007, name));
      const sorted = inBytes(texts);
      for (const count of [1, 2, 63, 500, 1500, 3000, 6006, 6007, 9000]) {
        const expected = { first: sorted.slice(0, count), isCut: count < texts.length };
        expect(choose(texts, count)).toEqual(expected);
        for (const guess of Object.values(GUESSES))
          expect(choose(texts, count, guess(sorted, count))).toEqual(expected);
      }
    });

it('a guess that the sample makes wrong costs time, not an entry', () => {
  // Every sample is one of the last: what it promises to be enough is not there.
  const texts = Array.from({ length: 4000 }, (_, at) => (at % 2 === 0 ? `z${at}` : `a${at}`));
  for (const count of [1, 20, 900]) expect(choose(texts, count).first).toEqual(inBytes(texts).slice(0, count));
});

it('of what is likely, a text that comes twice stands for no other', () => {
  expect(choose(['b', 'a', 'a'], 3, ['a', 'b', 'c']).first).toEqual(['a', 'a', 'b']);
});

it('what was likely and has come may still not be among the first', () => {
  const texts = Array.from({ length: 516 }, (_, at) => `\u{1f600}${999 - at}`);
  expect(choose(texts, 1, texts.slice(0, 1))).toEqual({ first: ['\u{1f600}484'], isCut: true });
});

it('a guess of which a hundred are gone still does, one of which most are gone does not', () => {
  const texts = shuffled(4000, (number) => `n${10_000 + number}`);
  const sorted = inBytes(texts);
  const gone = (count: number) => inBytes([...sorted.slice(0, 1000 - count), ...Array(count).fill('m')]).slice(0, 1000);
  const expected = { first: sorted.slice(0, 1000), isCut: true };
  for (const count of [0, 1, 100]) expect(tryToChoose(texts, 1000, gone(count))).toEqual(expected);
  expect(tryToChoose(texts, 1000, gone(900))).toBeUndefined();
  expect(tryToChoose(texts.slice(0, 50), 1000, gone(999))?.first).toEqual(inBytes(texts.slice(0, 50)));
});

it('nothing of nothing', () => {
  expect(choose([], 5)).toEqual({ first: [], isCut: false });
});

it('bytes sort otherwise than UTF-16 units', () => {
  expect(sortBytewise(['\u{1f600}', '\uff5e', 'b', 'a'])).toEqual(['a', 'b', '\uff5e', '\u{1f600}']);
});
