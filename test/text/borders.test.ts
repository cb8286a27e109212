import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bordersOf } from '../../src/text/borders';
import { runAtOnce } from '../../src/text/steps';

test('the border of each prefix is the longest that it begins and ends with', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(1, 2), { maxLength: 24 }), (units) => {
      const isBorder = (end: number, length: number) =>
        units.slice(0, length).join() === units.slice(end - length, end).join();
      const longest = units.map((_, at) => {
        let length = at;
        while (!isBorder(at + 1, length)) length--;
        return length;
      });
      expect([...runAtOnce(bordersOf(Uint16Array.from(units)))]).toEqual(longest);
    }),
  );
});

test('they go on from step to step', () => {
  const borders = runAtOnce(bordersOf(new Uint16Array(600_000).fill(7)));
  expect(borders.every((length, at) => length === at)).toBe(true);
});
