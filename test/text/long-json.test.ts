/** JSON that comes in pieces is read as `JSON.parse` reads the whole of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeSteps } from '../../src/text/encoding';
import { hasMoreParts, LongJson } from '../../src/text/long-json';
import { isPieced, type PiecedText } from '../../src/text/pieced-text';
import { runAtOnce } from '../../src/text/steps';

const outcome = (read: () => unknown) => {
  try {
    return { value: read() };
  } catch (error) {
    return (error as Error).constructor.name;
  }
};

/** Its bytes cut again and again at these lengths. */
function inPieces(json: string, lengths: readonly number[], maxParts = 1e9, maxInPlace?: number): unknown {
  const reader = new LongJson(maxParts, maxInPlace);
  const bytes = Buffer.from(json);
  for (let at = 0, count = 0; at < bytes.length; count++) {
    const to = at + (lengths[count % lengths.length] as number);
    reader.add(bytes.subarray(at, to));
    at = to;
  }
  return reader.finish();
}

const HARD = ['"', '\\', '\n', '\u0001', '~', '~0', '→', '😀', '\ud83d', '\ude00', '\\u', '\u2028', '{', '}', 'a'];
const hardText = fc.oneof(
  fc.array(fc.constantFrom(...HARD), { maxLength: 12 }).map((units) => units.join('')),
  fc.constantFrom(...HARD).map((unit) => unit.repeat(1_500)),
  fc.constantFrom('__proto__', 'constructor', '', '~1'),
);
const anyValue = fc.jsonValue({ stringUnit: 'binary' });
const hardValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hardText,
    anyValue,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(hardText, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  ),
})).value;
const lengths = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }),
  fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 3 }),
);

/** None of the strings that are not short may stay, some, or all. */
const inPlace = fc.constantFrom(0, 2_000, undefined);

it('says what JSON.parse says, of whatever JSON, however it is cut', () => {
  fc.assert(
    fc.property(hardValue, fc.constantFrom(0, 1), lengths, inPlace, (value, indent, cuts, maxInPlace) => {
      // Which is how some write it.
      const json = JSON.stringify(value, null, indent).replaceAll('~', indent === 0 ? '~' : '\\u007E');
      expect(inPieces(json, cuts, undefined, maxInPlace)).toEqual(JSON.parse(json));
    }),
    { numRuns: 2_000 },
  );
});

it('says what JSON.parse says of what is no JSON', () => {
  const wrong = fc.constantFrom('', '"', '\\', '\n', '~', ',', '\\u12', '{');
  fc.assert(
    fc.property(hardValue, wrong, fc.nat(), fc.nat(2), lengths, (value, put, place, taken, cuts) => {
      const json = JSON.stringify(value);
      const at = place % (json.length + 1);
      // Half of a character has no bytes: everybody reads a sign in its place.
      const broken = (json.slice(0, at) + put + json.slice(at + taken)).toWellFormed();
      expect(outcome(() => inPieces(broken, cuts))).toEqual(outcome(() => JSON.parse(broken)));
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ['a reference that nobody made', '{"a":"~0","b":"\\u007e0"}'],
  ['a name that is like a reference', '{"~0":"~0"}'],
  ['a name that would be the prototype', '{"__proto__":{"x":1},"~":2}'],
  ['a name that comes twice', `{"${'n'.repeat(2_000)}":1,"${'n'.repeat(2_000)}":2}`],
  ['backslashes all along', `"${'\\\\'.repeat(4_000)}"`],
  ['escapes all along', `"${'\\u00e9'.repeat(4_000)}"`],
  ['halves of a pair', '"\\ud83d\\ude00\\ude00\\ud83d"'],
  ['nothing', ''],
])('%s, cut everywhere', (_, json) => {
  for (const length of [1, 2, 3, 5, 7, 64])
    expect(outcome(() => inPieces(json, [length]))).toEqual(outcome(() => JSON.parse(json)));
});

/** Its opening brackets and commas. */
function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  return members.reduce((sum: number, member) => sum + partsOf(member), Math.max(1, members.length));
}

it('has as many parts as its value, and is told apart by one more', () => {
  fc.assert(
    fc.property(hardValue, fc.integer({ min: 1, max: 40 }), lengths, (value, max, cuts) => {
      const json = JSON.stringify(value);
      const isTooMuch = partsOf(value) > max;
      expect(hasMoreParts(Buffer.from(json), max)).toBe(isTooMuch);
      expect(outcome(() => inPieces(json, cuts, max)) === 'TooManyParts').toBe(isTooMuch);
    }),
    { numRuns: 2_000 },
  );
});

describe('a very long string', () => {
  const length = 1_500_000;
  it.each([
    ['plain', 'x\\n'],
    ['with quotes and backslashes', 'say \\"a\\\\b\\" '],
    ['in another script', '漢字を読む\\n'],
    ['with pairs', 'a😀'],
    ['with escapes all along', '\\u6f22\\ud83d\\ude00x'],
    ['with halves of pairs', 'x\\ud83dy\\ude00'],
  ])('%s is what JSON.parse says, and has the bytes of it', (_, unit) => {
    const json = `{"a":"${unit.repeat(length / unit.length)}","b":1}`;
    const { a: wanted } = JSON.parse(json) as { a: string };
    for (const cuts of [[65_536], [1_001, 7, 65_537], [1_500_001]]) {
      const { a, b } = inPieces(json, cuts) as { a: PiecedText; b: number };
      expect(b).toBe(1);
      expect(isPieced(a)).toBe(true);
      expect([a.toString() === wanted, a.length, a.isWellFormed()]).toEqual([
        true,
        wanted.length,
        wanted.isWellFormed(),
      ]);
      if (wanted.isWellFormed())
        expect(Buffer.concat(runAtOnce(encodeSteps(a))).equals(Buffer.from(wanted))).toBe(true);
    }
  });

  it('that is no UTF-8 has a sign in the place of what is not', () => {
    const broken = Buffer.from(`["${'x'.repeat(length)}"]`);
    broken[length / 2] = 0xe9;
    const reader = new LongJson(10);
    for (let at = 0; at < broken.length; at += 65_536) reader.add(broken.subarray(at, at + 65_536));
    expect(String((reader.finish() as [PiecedText])[0])).toBe(broken.toString().slice(2, -2));
  });
});

it.each([
  ['blanks', `[${' '.repeat(1_000)}1]`],
  ['digits', '1'.repeat(1_000)],
])('refuses %s without end', (_, json) => {
  expect(outcome(() => inPieces(json, [50], 10))).toBe('TooManyParts');
});

it('is given up where nobody can want the rest', () => {
  const reader = new LongJson(10);
  reader.add(Buffer.from(`{"a":"${'x'.repeat(5_000)}`));
  reader.abandon();
  expect(() => reader.finish()).toThrow(SyntaxError);
});
