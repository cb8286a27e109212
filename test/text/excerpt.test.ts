/** The lines around the only place of a string, found in the bytes: what is made of them is what the whole would give. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptSteps, OnlyPlace } from '../../src/text/excerpt';
import { LineIndex } from '../../src/text/lines';
import { stageKnown } from '../../src/text/stage-known';
import { applyEdits, rangeSteps } from '../../src/text/staged-file';
import { runAtOnce } from '../../src/text/steps';
import { diffParts, unifiedDiff } from '../../src/text/unified-diff';

const around = (text: string, wanted: string) => runAtOnce(excerptSteps(Buffer.from(text), wanted));
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${from + at}\n`).join('');

describe('an excerpt', () => {
  it('is the lines around, and knows how many come before', () => {
    const text = numbers(100, 199);
    const excerpt = around(text, '50');
    expect(excerpt?.text).toBe(numbers(146, 154));
    expect(text.slice(excerpt?.from, excerpt?.to)).toBe(excerpt?.text);
    expect(excerpt && runAtOnce(excerpt.linesBefore())).toBe(46);
    expect(excerpt?.inPlace('…\n')).toBe(`${numbers(100, 145)}…\n${numbers(155, 199)}`);
  });

  it.each([
    ['the beginning', 'one'],
    ['the end', 'six'],
  ])('ends with the text, at %s', (_, wanted) => {
    const text = 'one\ntwo\nthree\nfour\nfive\nsix';
    expect(around(text, wanted)).toBeDefined();
    expect(around(text, wanted)?.inPlace('')).not.toContain(wanted);
  });

  it.each([
    ['what is not there', 'a\nb\n', 'c'],
    ['what is there twice', 'a\nb\na\n', 'a'],
    ['what overlaps itself', 'aaa', 'aa'],
    ['what begins nowhere', 'abc', ''],
    ['half a character, whose bytes are those of another', 'a\ufffd', '\ud800'],
    ['a very long string', 'x'.repeat(10_000), 'x'.repeat(9_000)],
    ['a very long line before it', `${'x'.repeat(100_000)}!`, '!'],
    ['a very long line after it', `!${'x'.repeat(100_000)}`, '!'],
    ['what ends like much else', `${'x'.repeat(1000)}\n`.repeat(100), `a${'x'.repeat(200)}`],
  ])('is not made of %s', (_, text, wanted) => {
    expect(around(text, wanted)).toBeUndefined();
  });

  it.each([0, 1, 60, 127])('is found across the steps of the search, %i bytes before their border', (before) => {
    const step = 4 * 1_048_576;
    const wanted = `<${'-'.repeat(150)}>`;
    const line = `${'.'.repeat(99)}\n`;
    const text = line.repeat(Math.ceil((step * 2) / line.length));
    // The search is for the last 128 bytes.
    const at = step + (wanted.length - 128) - before;
    const edited = text.slice(0, at) + wanted + text.slice(at + wanted.length);
    expect(around(edited, wanted)?.text).toContain(wanted);
    expect(around(edited + wanted, wanted)).toBeUndefined();
  });
});

it('what is made of it is what the whole text would give', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', '\r', 'ä', '😀', ' '), maxLength: 6 });
  const texts = fc.array(line, { maxLength: 24 }).map((lines) => lines.join('\n'));
  const place = fc.record({ at: fc.nat(), length: fc.integer({ min: 1, max: 30 }), new_string: texts });
  fc.assert(
    fc.property(texts, place, (text, { at, length, new_string }) => {
      const from = at % (text.length + 1);
      const old_string = text.slice(from, from + length);
      fc.pre(old_string !== '' && old_string !== new_string);
      fc.pre(old_string.isWellFormed() && new_string.isWellFormed());
      const edits = [{ old_string, new_string }];
      const excerpt = around(text, old_string);
      expect(excerpt !== undefined).toBe(text.indexOf(old_string) === text.lastIndexOf(old_string));
      if (!excerpt) return;
      const [staged, whole] = [stageKnown(excerpt, { old_string, new_string }), applyEdits(text, edits)];
      if (!whole.ok) throw new Error('it must be found there too');
      const lines = new LineIndex(excerpt.text, runAtOnce(excerpt.linesBefore()));
      expect(excerpt.inPlace(staged.text)).toBe(whole.text);
      expect(runAtOnce(rangeSteps(staged.matches, lines))).toEqual(whole.ranges);
      expect(runAtOnce(diffParts('f', excerpt.text, staged.changes, lines)).join('')).toBe(
        unifiedDiff('f', text, whole.changes),
      );
    }),
    { numRuns: 5000 },
  );
});

it('the only place is found however the bytes are cut', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ä'), maxLength: 40 });
  const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(text, fc.nat(), fc.integer({ min: 1, max: 8 }), cuts, (given, at, length, by) => {
      const from = at % (given.length + 1);
      const wanted = given.slice(from, from + length);
      fc.pre(wanted !== '');
      const bytes = Buffer.from(given);
      const place = OnlyPlace.of(wanted);
      // One room for all slices, as the desk is.
      const room = Buffer.alloc(9);
      for (let done = 0, turn = 0; done < bytes.length; turn++) {
        const slice = bytes.subarray(done, done + (by[turn % by.length] ?? 1));
        place?.add(room.fill(0).subarray(0, slice.copy(room)));
        done += slice.length;
      }
      const isOnce = bytes.indexOf(wanted) === bytes.lastIndexOf(wanted);
      expect(place?.reach(bytes.length)?.start).toBe(isOnce ? bytes.indexOf(wanted) : undefined);
    }),
    { numRuns: 5000 },
  );
});
