import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameText, PiecedText, type Text } from '../../src/text/pieced-text';

const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '😀', '\ud83d', '\ude00'), maxLength: 4 }), {
  maxLength: 8,
});
const text = (given: readonly string[], isPieced: boolean): Text => (isPieced ? new PiecedText(given) : given.join(''));

test('a text in pieces is the text that they make, and no piece parts a character', () => {
  fc.assert(
    fc.property(pieces, (given) => {
      const whole = given.join('');
      const pieced = new PiecedText(given);
      expect([pieced.toString(), pieced.length, JSON.stringify({ pieced })]).toEqual([
        whole,
        whole.length,
        JSON.stringify({ pieced: whole }),
      ]);
      expect(pieced.isWellFormed()).toBe(whole.isWellFormed());
      expect([...pieced.pieces()].flatMap((piece) => [...piece])).toEqual([...whole]);
    }),
    { numRuns: 1000 },
  );
});

test('two texts are the same however they are cut', () => {
  fc.assert(
    fc.property(pieces, pieces, fc.boolean(), fc.boolean(), (one, other, ...[isOne, isOther]) => {
      expect(isSameText(text(one, isOne), text(other, isOther))).toBe(one.join('') === other.join(''));
      const cutAnew = one.join('').split('');
      expect(isSameText(text(one, isOne), text(cutAnew, isOther))).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
