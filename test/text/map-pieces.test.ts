import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crlfSteps, findOccurrences, toCrlf } from '../../src/text/find-replace';
import { runAtOnce } from '../../src/text/steps';

/** Just before the end of the first piece. */
const NEAR_CUT = 524_286;

test.each([0, 1, 2, 3])('a line end is never parted', (shift) => {
  const text = `${'x'.repeat(NEAR_CUT + shift)}\r\ny\nz`;
  const start = NEAR_CUT + shift;
  expect(findOccurrences(text, '\ny')).toEqual({
    count: 1,
    spans: [{ start: start + 1, end: start + 3 }],
    lineEnds: 'as_given',
  });
  expect(findOccurrences(text, 'x\ny\nz')).toEqual({
    count: 1,
    spans: [{ start: start - 1, end: start + 6 - 1 }],
    lineEnds: 'crlf',
  });
  expect(runAtOnce(crlfSteps(text))).toBe(`${'x'.repeat(start)}\r\ny\r\nz`);
});

test('only a line end that has no \\r gets one', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('\r', '\n', 'a') }), (text) => {
      expect(toCrlf(text)).toBe(text.replace(/(?<!\r)\n/g, '\r\n'));
    }),
  );
});
