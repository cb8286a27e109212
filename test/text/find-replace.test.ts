import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findOccurrences, replaceSteps, replaceText } from '../../src/text/find-replace';
import { runAtOnce } from '../../src/text/steps';
import { findNaively } from './stage-naively';

describe('finding', () => {
  test('overlaps count, each with its span', () => {
    expect(findOccurrences('aaa', 'aa')).toEqual({
      count: 2,
      spans: [
        { start: 0, end: 2 },
        { start: 1, end: 3 },
      ],
      lineEnds: 'as_given',
    });
  });

  test('the count is exact where few spans are kept', () => {
    expect(findOccurrences('aaaa', 'a', { max: 1 })).toEqual({
      count: 4,
      spans: [{ start: 0, end: 1 }],
      lineEnds: 'as_given',
    });
  });

  test('nothing is nowhere', () => {
    expect(findOccurrences('abc', '')).toEqual({ count: 0, spans: [], lineEnds: 'as_given' });
    expect(findOccurrences('', 'a')).toEqual({ count: 0, spans: [], lineEnds: 'as_given' });
  });

  test('\\n finds \\r\\n only where it does not occur as it stands', () => {
    expect(findOccurrences('a\r\nb a\nb', 'a\nb')).toMatchObject({ count: 1, spans: [{ start: 5, end: 8 }] });
    expect(findOccurrences('x\r\na\r\nb\nc', '\na\nb\n')).toEqual({
      count: 1,
      spans: [{ start: 1, end: 8 }],
      lineEnds: 'crlf',
    });
  });

  test('\\r\\n is taken at its word', () => {
    expect(findOccurrences('a\nb', 'a\r\nb').count).toBe(0);
    expect(findOccurrences('a\r\nb\r\nc', 'a\r\nb\nc').count).toBe(0);
  });

  test('all is as if by trying every offset', () => {
    const piece = fc.constantFrom('a', 'a', 'b', '\n', '\r\n', '\r');
    const text = (maxLength: number) => fc.array(piece, { maxLength }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text(30), text(4), fc.nat(30), fc.nat(8), (where, random, at, length) => {
        const wanted = random === '' ? where.slice(at, at + length).replaceAll('\r\n', '\n') : random;
        if (wanted === '') return;
        const { spans, crlf } = findNaively(where, wanted);
        expect(findOccurrences(where, wanted)).toEqual({
          count: spans.length,
          spans: spans.map(([start, end]) => ({ start, end })),
          lineEnds: crlf ? 'crlf' : 'as_given',
        });
      }),
      { numRuns: 5000 },
    );
  });
});

describe('repetitive text is searched in linear time', () => {
  const MANY = 4_000_000;
  const text = 'a'.repeat(MANY);

  test.each([
    ['a short string that is everywhere', 'aa', MANY - 1],
    ['half of the text', 'a'.repeat(MANY / 2), MANY / 2 + 1],
    ['what differs at its first character', `b${'a'.repeat(MANY / 2)}`, 0],
    ['what differs at its last character', `${'a'.repeat(MANY / 2)}b`, 0],
    ['what differs in the middle', `${'a'.repeat(MANY / 4)}b${'a'.repeat(MANY / 4)}`, 0],
  ])('%s', (_, wanted, count) => {
    expect(findOccurrences(text, wanted, { max: 1 }).count).toBe(count);
  });

  test('in long periods too', () => {
    const period = `${'x'.repeat(150)}${'y'.repeat(49)}\n`;
    const many = period.repeat(5000);
    expect(findOccurrences(many, period.repeat(1000), { max: 1 }).count).toBe(4001);
    expect(findOccurrences(many, `!${period.repeat(2000)}`, { max: 1 }).count).toBe(0);
  });
});

describe('replacing', () => {
  test('one occurrence, literally', () => {
    expect(replaceText('a-b', { find: '-', replace: '$&$1\\n' })).toEqual({
      ok: true,
      text: 'a$&$1\\nb',
      replacements: 1,
    });
  });

  test('what is not there is not found', () => {
    expect(replaceText('abc', { find: 'x', replace: 'y' })).toEqual({
      ok: false,
      kind: 'not_found',
      count: 0,
      lines: [],
    });
    expect(replaceText('abc', { find: 'x', replace: 'y', all: true, expected: 2 })).toMatchObject({
      kind: 'not_found',
    });
  });

  test('several occurrences are ambiguous, with the line of each', () => {
    expect(replaceText('x\ny\nx x', { find: 'x', replace: 'z' })).toEqual({
      ok: false,
      kind: 'ambiguous',
      count: 3,
      lines: [1, 3, 3],
    });
  });

  test('several that are expected: the first is replaced', () => {
    expect(replaceText('x x x', { find: 'x', replace: 'z', expected: 3 })).toEqual({
      ok: true,
      text: 'z x x',
      replacements: 1,
    });
  });

  test('another number than expected is refused, also with all', () => {
    const refused = { ok: false, kind: 'count_mismatch', count: 1, expected: 2, lines: [1] };
    expect(replaceText('x', { find: 'x', replace: 'y', expected: 2 })).toEqual(refused);
    expect(replaceText('x', { find: 'x', replace: 'y', expected: 2, all: true })).toEqual(refused);
  });

  test('all goes from left to right without overlaps, and counts what it replaces', () => {
    expect(replaceText('aaaaa', { find: 'aa', replace: 'b', all: true, expected: 2 })).toEqual({
      ok: true,
      text: 'bba',
      replacements: 2,
    });
    expect(replaceText('aaa', { find: 'aa', replace: 'b' })).toMatchObject({ kind: 'ambiguous', count: 2 });
  });

  test('all is what split and join make, for any text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '$', '\r') });
    fc.assert(
      fc.property(text, text, text, (where, find, replace) => {
        fc.pre(find !== '' && where.includes(find));
        const parts = where.split(find);
        expect(replaceText(where, { find, replace, all: true })).toEqual({
          ok: true,
          text: parts.join(replace),
          replacements: parts.length - 1,
        });
      }),
    );
  });

  test('a replacement takes the \\r\\n of what it replaces', () => {
    expect(replaceText('a\r\nb\r\n', { find: 'a\nb\n', replace: '1\n2\r\n3\n' })).toEqual({
      ok: true,
      text: '1\r\n2\r\n3\r\n',
      replacements: 1,
    });
    expect(replaceText('a\r\na\r\n', { find: 'a\n', replace: 'b\n', all: true })).toMatchObject({ text: 'b\r\nb\r\n' });
  });

  test('its size is known before it is made, for any text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '😀', '\n', '\r\n') });
    fc.assert(
      fc.property(text, text, text, fc.boolean(), (where, find, replace, all) => {
        fc.pre(find !== '');
        const outcome = runAtOnce(replaceSteps(where, { find, replace, all }));
        if (!outcome.ok) return;
        const made = outcome.replaced.toString();
        expect(outcome.replaced.size).toEqual({ units: made.length, bytes: Buffer.byteLength(made) });
      }),
      { numRuns: 2000 },
    );
  });

  test('a text that would be too long is not made', () => {
    const order = { find: 'a', replace: 'b'.repeat(1_000_000), all: true, maxLength: 1_000_000 };
    const outcome = runAtOnce(replaceSteps('a'.repeat(1_000_000), order));
    if (!outcome.ok) throw new Error('it is there');
    expect(outcome.replaced.size).toEqual({ units: 1e12, bytes: 1e12 });
    expect(() => outcome.replaced.toString()).toThrow(RangeError);
  });
});
