import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { countByteLines, countNewlines, createNewlineCounter, offsetAfter } from '../../src/text/newlines';

const byte = fc.constantFrom(0x0a, 0x8a, 0x0b, 0x61, 0xff, 0);
const dense = fc.uint8Array({ minLength: 0, maxLength: 9000 });
const few = fc.array(byte, { maxLength: 300 }).map((bytes) => Uint8Array.from(bytes));
const MEGABYTE = 1_048_576;

const ways: [string, (bytes: Uint8Array) => number][] = [
  ['by leaps', countNewlines],
  ['by the module', createNewlineCounter().count],
  ['where the module cannot be loaded', createNewlineCounter(() => undefined).count],
];

describe.each(ways)('line ends counted %s', (_, count) => {
  it('are right wherever the bytes begin, in short lines and long', () => {
    fc.assert(
      fc.property(fc.oneof(dense, few), fc.nat(7), fc.nat(40), (bytes, skip, copies) => {
        const long = Buffer.concat(Array.from({ length: copies + 1 }, () => bytes)).subarray(skip);
        expect(count(long)).toBe(long.filter((one) => one === 0x0a).length);
      }),
    );
    expect(count(Buffer.alloc(100_001, 0x0a).subarray(1))).toBe(100_000);
  });

  it('are right in more than the desk holds', () => {
    expect(count(Buffer.alloc(2 * MEGABYTE + 21, 'ab\n'))).toBe((2 * MEGABYTE + 21 - 2) / 3);
  });
});

describe('on the desk', () => {
  const { desk, count } = createNewlineCounter();

  it('any stretch is counted where it lies, to the byte, and stays as it is', () => {
    fc.assert(
      fc.property(few, fc.nat(70), fc.nat(70), (bytes, before, after) => {
        const around = Buffer.concat([Buffer.alloc(before, 0x0a), bytes, Buffer.alloc(after, 0x0a)]);
        const place = desk.subarray(desk.length - around.length);
        place.set(around);
        const found = count(place.subarray(before, before + bytes.length));
        expect([found, place.equals(around)]).toEqual([bytes.filter((one) => one === 0x0a).length, true]);
      }),
    );
  });

  it('all of it can be counted', () => {
    desk.fill(0x0a);
    expect(count(desk)).toBe(MEGABYTE);
  });
});

test('the module is used here: without it everything is right, only slow', () => {
  expect(createNewlineCounter().count).not.toBe(countNewlines);
});

test('what follows the last line end is a line', () => {
  expect(['', '\n', 'a', 'a\n', 'a\nb'].map((text) => countByteLines(Buffer.from(text)))).toEqual([0, 1, 1, 1, 2]);
});

test('the offset after a line end, or nothing where there are fewer', () => {
  const bytes = Buffer.from('a\n\nbc\n');
  expect([0, 1, 2, 3, 4].map((nth) => offsetAfter(bytes, nth))).toEqual([0, 2, 3, 6, undefined]);
});
