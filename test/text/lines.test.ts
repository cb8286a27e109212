import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countLines, cutWindow, LineIndex, placeSteps } from '../../src/text/lines';
import { runAtOnce } from '../../src/text/steps';

test.each([
  ['', 0],
  ['\n', 1],
  ['a', 1],
  ['a\n', 1],
  ['a\nb', 2],
  ['a\r\nb\r\n', 2],
  ['a\rb', 1],
  ['\n\n', 2],
])('%j has %i lines', (text, count) => {
  expect(countLines(text)).toBe(count);
});

describe('a window', () => {
  const text = 'one\ntwo\r\nthree';

  test.each([
    [{ line: 1 }, text, 3],
    [{ line: 1, limit: 1 }, 'one\n', 1],
    [{ line: 2, limit: 1 }, 'two\r\n', 1],
    [{ line: 2 }, 'two\r\nthree', 2],
    [{ line: 3, limit: 9 }, 'three', 1],
    [{ line: 4 }, '', 0],
    [{ line: 999, limit: 5 }, '', 0],
    [{ line: 1, limit: 0 }, '', 0],
    [{ line: 2, limit: undefined }, 'two\r\nthree', 2],
  ])('%j is exact', (window, content, returnedLines) => {
    expect(cutWindow(text, window)).toEqual({ content, totalLines: 3, returnedLines });
  });

  test('past the end of a terminated text is empty', () => {
    expect(cutWindow('a\n', { line: 2 })).toEqual({ content: '', totalLines: 1, returnedLines: 0 });
    expect(cutWindow('', { line: 1 })).toEqual({ content: '', totalLines: 0, returnedLines: 0 });
  });

  test('after window gives the text again', () => {
    const piece = fc.constantFrom('a', '\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 1, max: 4 }), (pieces, limit) => {
        const whole = pieces.join('');
        let read = '';
        let line = 1;
        for (let window = cutWindow(whole, { line, limit }); window.returnedLines > 0; ) {
          read += window.content;
          line += window.returnedLines;
          window = cutWindow(whole, { line, limit });
        }
        expect([read, line - 1]).toEqual([whole, countLines(whole)]);
      }),
    );
  });
});

test('an index knows the line of every offset', () => {
  const text = 'a\n\nbc\r\nd';
  const index = new LineIndex(text);
  expect([...text, ''].map((_, offset) => index.lineAt(offset))).toEqual([1, 1, 2, 3, 3, 3, 3, 4, 4]);
});

test('a window is where it is however the text is cut', () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', '\r', '\n'), minLength: 1, maxLength: 6 }), {
    maxLength: 8,
  });
  const windows = fc.record({
    line: fc.integer({ min: 1, max: 12 }),
    limit: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(pieces, windows, (given, window) => {
      const text = given.join('');
      const { start, end, ...counts } = runAtOnce(placeSteps(given, window));
      expect({ content: text.slice(start, end), ...counts }).toEqual(cutWindow(text, window));
    }),
    { numRuns: 3000 },
  );
});
