import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutUtf8, keepEnd, shorten } from '../../src/text/truncate';

test('a text within the limit stays, a longer one ends in …', () => {
  expect([shorten('abc', 3), shorten('abcd', 3), shorten('', 0), shorten('ab', 1), shorten('ab', 0)]).toEqual([
    'abc',
    'ab…',
    '',
    '…',
    '',
  ]);
});

test('a surrogate pair is kept whole or dropped', () => {
  expect([shorten('a😀bc', 3), shorten('a😀bc', 4), shorten('😀😀', 2)]).toEqual(['a…', 'a😀…', '…']);
});

test('of a text that is too long the end can be kept', () => {
  expect([keepEnd('abc', 3), keepEnd('abcd', 3), keepEnd('ab', 1), keepEnd('ab', 0)]).toEqual(['abc', '…cd', '…', '']);
  expect([keepEnd('ab😀c', 3), keepEnd('ab😀c', 4)]).toEqual(['…c', '…😀c']);
});

test('a shortened text is within the limit and well formed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(12), (text, max) => {
      const short = shorten(text, max);
      expect(short.length).toBeLessThanOrEqual(max);
      expect(short.isWellFormed()).toBe(true);
      expect(short === text || short === '' || (short.endsWith('…') && text.startsWith(short.slice(0, -1)))).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('bytes are cut before a character that does not fit', () => {
  const bytes = Buffer.from('aü€😀');
  expect(Array.from({ length: 12 }, (_, max) => cutUtf8(bytes, max))).toEqual([0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10]);
});

test('a cut is the same where the rest was never kept', () => {
  const bytes = Buffer.from('aü€😀');
  expect(Array.from({ length: 11 }, (_, max) => cutUtf8(bytes.subarray(0, max), 100))).toEqual([
    0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10,
  ]);
});

test('bytes that are no text are cut at the limit', () => {
  expect(cutUtf8(Uint8Array.from([0x80, 0x80, 0x80, 0x80, 0x80]), 4)).toBe(4);
  expect(cutUtf8(Uint8Array.from([0xff, 0xff]), 1)).toBe(1);
});

test('what remains of valid UTF-8 is valid, and misses at most three bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, max) => {
      const bytes = Buffer.from(text);
      const length = cutUtf8(bytes, max);
      expect(text.startsWith(bytes.subarray(0, length).toString())).toBe(true);
      expect(length).toBeLessThanOrEqual(Math.min(max, bytes.length));
      expect(length).toBeGreaterThan(Math.min(max, bytes.length) - 4);
    }),
    { numRuns: 1000 },
  );
});
