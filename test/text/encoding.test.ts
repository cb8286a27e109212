import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeSteps, decodeText, type Encoding, encodeSteps, isEncodable, utf8Length } from '../../src/text/encoding';
import { LongText } from '../../src/text/long-text';
import { runAtOnce } from '../../src/text/steps';

const encodeText = (text: string, encoding?: Encoding) => Buffer.concat(runAtOnce(encodeSteps(text, encoding)));

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('what is text', () => {
  test('UTF-8, with or without byte order mark, which stays in the text', () => {
    expect(decodeText(Buffer.from('aü😀\r\n'))).toMatchObject({ ok: true, text: 'aü😀\r\n', encoding: 'utf-8' });
    expect(decodeText(bytes(0xef, 0xbb, 0xbf, 0x61))).toMatchObject({ ok: true, text: '\ufeffa', encoding: 'utf-8' });
    expect(decodeText(bytes())).toMatchObject({ ok: true, text: '', encoding: 'utf-8' });
  });

  test('UTF-16 with a byte order mark, in both orders', () => {
    expect(decodeText(bytes(0xff, 0xfe, 0x61, 0, 0x0a, 0))).toMatchObject({
      ok: true,
      text: '\ufeffa\n',
      encoding: 'utf-16le',
    });
    expect(decodeText(bytes(0xfe, 0xff, 0, 0x61, 0, 0x0a))).toMatchObject({
      ok: true,
      text: '\ufeffa\n',
      encoding: 'utf-16be',
    });
    expect(decodeText(bytes(0xff, 0xfe))).toMatchObject({ ok: true, text: '\ufeff', encoding: 'utf-16le' });
  });

  test('a replacement character that was really there', () => {
    expect(decodeText(Buffer.from('\ufffd'))).toMatchObject({ ok: true, text: '\ufffd', encoding: 'utf-8' });
  });
});

describe('what is not text, and why', () => {
  test.each([
    ['a NUL byte', bytes(0x61, 0), 'nul_byte'],
    ['UTF-16 without byte order mark', bytes(0x61, 0, 0x62, 0), 'nul_byte'],
    ['UTF-32 with byte order mark', bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0), 'nul_byte'],
    ['a NUL character in UTF-16', bytes(0xfe, 0xff, 0, 0x61, 0, 0), 'nul_byte'],
    ['Latin-1', bytes(0x61, 0xfc, 0x62), 'invalid_utf8'],
    ['a cut character', bytes(0xf0, 0x9f, 0x98), 'invalid_utf8'],
    ['an overlong slash', bytes(0xc0, 0xaf), 'invalid_utf8'],
    ['an encoded surrogate', bytes(0xed, 0xa0, 0x80), 'invalid_utf8'],
    ['half a unit of UTF-16', bytes(0xff, 0xfe, 0x61), 'utf16_odd_length'],
    ['half a pair in UTF-16', bytes(0xff, 0xfe, 0x00, 0xd8), 'utf16_lone_surrogate'],
  ])('%s', (_, input, reason) => {
    expect(decodeText(input)).toEqual({ ok: false, reason });
  });
});

describe('no byte is lost', () => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.string({ unit: 'binary' }).map((text) => Uint8Array.from(Buffer.from(text))),
    fc.string({ unit: 'binary' }).map((text) => Uint8Array.from(Buffer.from(`\ufeff${text}`, 'utf16le'))),
    fc.string({ unit: 'binary' }).map((text) => Uint8Array.from(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())),
  );

  test('whatever is decoded encodes back to the same bytes, and the input is left alone', () => {
    fc.assert(
      fc.property(noise, (input) => {
        const copy = Uint8Array.from(input);
        const decoded = decodeText(input);
        expect(input).toEqual(copy);
        if (decoded.ok) expect(Buffer.from(input).equals(encodeText(decoded.text, decoded.encoding))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('a view into a larger buffer is decoded alone', () => {
    const large = Buffer.from('xxabcxx');
    expect(decodeText(large.subarray(2, 5))).toMatchObject({ ok: true, text: 'abc', encoding: 'utf-8' });
  });

  test('a text that would not come back is not encoded', () => {
    expect([
      isEncodable('a😀'),
      isEncodable('a\ud83d'),
      isEncodable('a', 'utf-16le'),
      isEncodable('\ufeffa', 'utf-16be'),
    ]).toEqual([true, false, false, true]);
    expect(() => encodeText('a\ud83d')).toThrow(RangeError);
    expect(() => encodeText('a', 'utf-16le')).toThrow(RangeError);
  });

  test.each([0, 1])('a long text, whose pieces would begin inside a character', (shift) => {
    const text = `\ufeff${'x'.repeat(shift)}${'😀'.repeat(1_100_000)}`;
    const utf16 = Buffer.from(text, 'utf16le');
    expect(runAtOnce(encodeSteps(text)).length).toBeGreaterThan(1);
    expect(encodeText(text).equals(Buffer.from(text))).toBe(true);
    expect(encodeText(text, 'utf-16le').equals(utf16)).toBe(true);
    expect(encodeText(text, 'utf-16be').equals(utf16.swap16())).toBe(true);
  });

  test.each(['utf-16le', 'utf-16be'] as const)('a long text in %s, whose pieces would part a character', (encoding) => {
    for (const shift of [0, 1]) {
      const text = `\ufeff${'x'.repeat(shift)}${'😀'.repeat(40_000)}`;
      expect(decodeText(encodeText(text, encoding))).toMatchObject({ ok: true, text, encoding });
      const broken = (end: string) => {
        const utf16 = Buffer.from(text + end, 'utf16le');
        return decodeText(encoding === 'utf-16be' ? utf16.swap16() : utf16);
      };
      expect(broken('\ud83d')).toEqual({ ok: false, reason: 'utf16_lone_surrogate' });
      expect(broken('\ud83d'.repeat(40_000))).toEqual({ ok: false, reason: 'utf16_lone_surrogate' });
      expect(broken(`\ud83d${'x'.repeat(40_000)}\0`)).toEqual({ ok: false, reason: 'nul_byte' });
    }
  });

  const SAMPLES = ['plain text, '.repeat(300_000), 'größe 漢字 😀 '.repeat(200_000), `${'x'.repeat(2 ** 20 - 2)}😀`];
  const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be'] as const;
  test.each(ENCODINGS)('a long text in %s that is decoded a piece at a time', (encoding) => {
    for (const sample of SAMPLES) {
      const text = `\ufeff${sample}`;
      const bytes = encodeText(text, encoding);
      const decoded = runAtOnce(decodeSteps(bytes));
      expect(decoded).toMatchObject({ ok: true, encoding });
      if (!decoded.ok) continue;
      expect([runAtOnce(decoded.textSteps()) === text, decoded.text === text]).toEqual([true, true]);
      const long = new LongText(bytes, encoding);
      for (const most of [1000, 65_536]) {
        const pieces = [...long.pieces(most)];
        expect(pieces.join('') === text).toBe(true);
        expect(pieces.every((piece) => piece.length <= most && piece.isWellFormed())).toBe(true);
      }
      expect([String(long) === text, JSON.stringify({ long }) === JSON.stringify({ long: text })]).toEqual([
        true,
        true,
      ]);
    }
  });

  test('what is no text is refused for the same reason, at once or a piece at a time', () => {
    const far = 'ü'.repeat(1_000_000);
    const refused = [
      [Buffer.from(`${far}\0`), 'nul_byte'],
      [Buffer.concat([bytes(0xff), Buffer.from(`${far}\0`)]), 'nul_byte'],
      [Buffer.concat([Buffer.from(far), bytes(0xc3)]), 'invalid_utf8'],
      [Buffer.concat([bytes(0x61, 0x80), Buffer.from(far)]), 'invalid_utf8'],
      [Buffer.concat([bytes(0xff, 0xfe), Buffer.from(far)]).subarray(1), 'invalid_utf8'],
      [Buffer.concat([bytes(0xff, 0xfe, 0x61), Buffer.from(far)]), 'utf16_odd_length'],
    ] as const;
    for (const [input, reason] of refused) {
      expect(decodeText(input)).toEqual({ ok: false, reason });
      expect(runAtOnce(decodeSteps(input))).toEqual({ ok: false, reason });
    }
  });

  test('the length in UTF-8 is that of the bytes', () => {
    expect(utf8Length('aü😀')).toBe(7);
  });
});
