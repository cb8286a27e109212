import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countByteLines, countNewlines, offsetAfter } from '../../src/text/newlines';

const byte = fc.constantFrom(0x0a, 0x8a, 0x0b, 0x61, 0xff, 0);
const dense = fc.uint8Array({ minLength: 0, maxLength: 9000 });
const few = fc.array(byte, { maxLength: 300 }).map((bytes) => Uint8Array.from(bytes));

test('line ends are counted wherever the bytes begin, in short lines and long', () => {
  fc.assert(
    fc.property(fc.oneof(dense, few), fc.nat(7), fc.nat(40), (bytes, skip, copies) => {
      const long = Buffer.concat(Array.from({ length: copies + 1 }, () => bytes)).subarray(skip);
      expect(countNewlines(long)).toBe(long.filter((one) => one === 0x0a).length);
    }),
  );
  expect(countNewlines(Buffer.alloc(100_001, 0x0a).subarray(1))).toBe(100_000);
});

test('what follows the last line end is a line', () => {
  expect(['', '\n', 'a', 'a\n', 'a\nb'].map((text) => countByteLines(Buffer.from(text)))).toEqual([0, 1, 1, 1, 2]);
});

test('the offset after a line end, or nothing where there are fewer', () => {
  const bytes = Buffer.from('a\n\nbc\n');
  expect([0, 1, 2, 3, 4].map((nth) => offsetAfter(bytes, nth))).toEqual([0, 2, 3, 6, undefined]);
});
