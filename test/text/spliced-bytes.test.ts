import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TextChange } from '../../src/text/change-list';
import { type Encoding, encodeSteps } from '../../src/text/encoding';
import { differsAtOnce, keepsCharacters, splicedPieces, splicesOf } from '../../src/text/spliced-bytes';
import { runAtOnce } from '../../src/text/steps';

const text = fc.array(fc.constantFrom('a', 'bc', '\n', 'ü', '€', '😀', '\ufeff'), { maxLength: 30 });
const parts = fc.array(fc.tuple(text, text, text), { maxLength: 5 });

const encodings: Encoding[] = ['utf-8', 'utf-16le', 'utf-16be'];

test.each(encodings)('the pieces are the bytes of the new text in %s', (encoding) => {
  const mark = encoding === 'utf-8' ? '' : '\ufeff';
  const bytesOf = (whole: string) => Buffer.concat(runAtOnce(encodeSteps(whole, encoding)));
  fc.assert(
    fc.property(parts, text, (given, rest) => {
      const { before, after, changes } = changed([[[mark], [], []], ...given], rest);
      const bytes = bytesOf(before);
      const pieces = splicedPieces(bytes, splicesOf({ text: before, length: bytes.length, encoding }, changes));
      expect(Buffer.concat(pieces)).toEqual(bytesOf(after));
      expect(keepsCharacters(before, changes)).toBe(true);
      if (differsAtOnce(before, changes)) expect(after).not.toBe(before);
    }),
    { numRuns: 2000 },
  );
});

test('what stays is not copied', () => {
  const bytes = Buffer.from('one two three');
  const given = { text: 'one two three', length: bytes.length, encoding: 'utf-8' } as const;
  const pieces = splicedPieces(bytes, splicesOf(given, [{ start: 4, end: 7, text: '2' }]));
  const [head, , tail] = pieces.map((piece) => ({ buffer: piece.buffer, at: piece.byteOffset - bytes.byteOffset }));
  expect([head?.at, tail?.at]).toEqual([0, 7]);
  expect(head?.buffer === bytes.buffer && tail?.buffer === bytes.buffer).toBe(true);
});

test.each([
  ['begins inside a character', { start: 1, end: 2, text: '' }],
  ['ends inside a character', { start: 0, end: 1, text: '' }],
  ['brings half a character', { start: 2, end: 2, text: '\ud83d' }],
])('a change that %s is told', (_, change) => {
  expect(keepsCharacters('😀', [change])).toBe(false);
});

test('a change that only adds or takes away may be made up for by another', () => {
  const changes = [
    { start: 0, end: 2, text: '' },
    { start: 4, end: 4, text: 'ab' },
  ];
  expect(differsAtOnce('abab', changes)).toBe(false);
  expect(differsAtOnce('abab', [{ start: 0, end: 1, text: 'b' }])).toBe(true);
});

/** Stretches that stay, each followed by one that goes and what comes instead. */
function changed(given: readonly [string[], string[], string[]][], rest: readonly string[]) {
  const changes: TextChange[] = [];
  let before = '';
  let after = '';
  for (const [kept, gone, added] of given) {
    before += kept.join('');
    changes.push({ start: before.length, end: before.length + gone.join('').length, text: added.join('') });
    before += gone.join('');
    after += kept.join('') + added.join('');
  }
  return { before: before + rest.join(''), after: after + rest.join(''), changes };
}
