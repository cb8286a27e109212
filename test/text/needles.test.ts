import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Needles } from '../../src/text/needles';

const word = fc.constantFrom('alpha ', 'beta ', 'aaaa', 'ab', 'const x', '\n', 'ü', '😀');
const text = (size: fc.ArrayConstraints) => fc.array(word, size).map((words) => words.join(''));

test('every place of every string that it has is found, in order', () => {
  fc.assert(
    fc.property(
      text({ maxLength: 60 }),
      fc.array(fc.tuple(fc.nat(200), fc.nat(40)), { maxLength: 12 }),
      (where, cuts) => {
        const needles = new Needles(cuts.map(([at, length]) => where.slice(at, at + length)));
        const places = needles.locate(where);
        if (places === undefined) throw new Error('It gave up on a short text');
        const expected = needles.strings.map((string) => [string, placesOf(where, string)]);
        expect(needles.strings.map((string) => [string, places.get(string)])).toEqual(expected);
        expect(needles.strings.every((string) => needles.has(string))).toBe(true);
      },
    ),
    { numRuns: 3000 },
  );
});

test('ordinary strings suit, short, long and all too similar ones do not', () => {
  const ordinary = ['export function one() {', 'export function two() {'];
  const similar = Array.from({ length: 20 }, (_, index) => `${'-'.repeat(300)}${index}`);
  expect(new Needles([...ordinary, 'short', 'x'.repeat(5000), ...similar]).strings).toEqual(ordinary);
});

test('it gives up on a text in which a long string seems to begin everywhere', () => {
  const head = 'the head of a string';
  const needles = new Needles([`${head}${'x'.repeat(4000)}`]);
  expect([needles.strings.length, needles.locate(head.repeat(5000))]).toEqual([1, undefined]);
});

test('thousands of strings suit too, and are prepared one after the other', () => {
  const lines = Array.from({ length: 5000 }, (_, at) => `  const value${at} = await read("key-${at * 7919}", { at });`);
  const needles = new Needles(lines);
  expect([...needles.prepare()].length).toBeGreaterThanOrEqual(lines.length);
  expect(needles.strings).toEqual(lines);
});

function placesOf(where: string, wanted: string): number[] {
  return [...Array(where.length).keys()].filter((at) => where.startsWith(wanted, at));
}
