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
      fc.constantFrom(1, 24),
      (where, cuts, times) => {
        const wanted = cuts.map(([at, length]) => where.slice(at, at + length));
        const needles = new Needles(Array(times).fill(wanted).flat());
        if (times === 24) expect(needles.strings.length).toBe(new Set(wanted.filter(Boolean)).size);
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

test('ordinary strings suit; a few that are short, far longer than the others or all too similar do not', () => {
  const ordinary = Array.from({ length: 30 }, (_, index) => `export function handle${index}() {`);
  const similar = Array.from({ length: 20 }, (_, index) => `${'-'.repeat(300)}${index}`);
  expect(new Needles([...ordinary, 'short', 'x y z '.repeat(1000), ...similar]).strings).toEqual(ordinary);
});

test.each([
  ['that are short', (index: number) => `${index}`.padStart(3, '#')],
  ['that differ at the end alone', (index: number) => `${'-'.repeat(300)}${index}`],
  ['that differ at the beginning alone', (index: number) => `${index}${'-'.repeat(300)}`],
  ['that differ in their middles alone', (index: number) => `${'-'.repeat(300)}${index}${'-'.repeat(300)}`],
  ['that are long', (index: number) => `${index} ${'a line of many words\n'.repeat(500)}`],
])('many strings %s suit too', (_, make) => {
  const strings = Array.from({ length: 100 }, (_, index) => make(index + 100));
  const needles = new Needles(strings);
  expect(needles.strings).toEqual(strings);
  expect(needles.locate(`=${strings[7]}=`)?.get(strings[7] as string)).toEqual([1]);
});

test('of a string that stands everywhere the places are not remembered', () => {
  const needles = new Needles([...Array(24).fill('ab'), ...Array(24).fill('cd')]);
  const text = `${'ab'.repeat(5000)}cd`;
  expect([needles.locate(text)?.get('ab'), needles.locate(text)?.get('cd')]).toEqual(['too_many', [10_000]]);
});

test('it gives up on a text in which a long string seems to begin everywhere', () => {
  const head = Array.from({ length: 20 }, (_, index) => index * 7919).join(' ');
  const needles = new Needles([`${head.repeat(3)}${'x'.repeat(4000)}`]);
  expect([needles.strings.length, needles.locate(head.repeat(1000))]).toEqual([1, undefined]);
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
