import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCapture } from '../../../src/services/processes/output';

describe('what is kept of an output', () => {
  it('all of it up to the cap, which is not truncated', () => {
    expect(captured('12345678', 8)).toEqual({ text: '12345678', truncated: false });
  });

  it('nothing of an empty one', () => {
    expect(createCapture(8).finish()).toEqual({ text: '', truncated: false });
  });

  it('the beginning of a longer one, and how much is missing', () => {
    expect(captured('123456789', 8)).toEqual({ text: '12345678\n[… 1 more bytes dropped]', truncated: true });
  });

  it('no empty line before the mark', () => {
    expect(captured('1234567\n9', 8).text).toBe('1234567\n[… 1 more bytes dropped]');
  });

  it('bytes that are not UTF-8 become U+FFFD', () => {
    expect(captured(Uint8Array.from([0x61, 0xff, 0xfe, 0x62]), 8).text).toBe('a\uFFFD\uFFFDb');
  });

  it('no character is halved, and no byte is lost from the count, wherever the cap falls', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 }).filter((value) => value.isWellFormed());
    fc.assert(
      fc.property(text, fc.nat(200), fc.integer({ min: 1, max: 7 }), (whole, cap, step) => {
        const bytes = Buffer.from(whole);
        const { text: shown, truncated } = captured(bytes, cap, step);
        if (bytes.length <= cap) {
          expect({ shown, truncated }).toEqual({ shown: whole, truncated: false });
          return;
        }
        const [, start = '', dropped] = /^([\s\S]*?)\n?\[… (\d+) more bytes dropped\]$/.exec(shown) ?? [];
        expect(truncated).toBe(true);
        const kept = bytes.length - Number(dropped);
        expect(kept).toBeGreaterThan(cap - 4);
        expect(kept).toBeLessThanOrEqual(cap);
        expect(whole.slice(0, start.length)).toBe(start);
        expect(bytes.toString('utf8', 0, kept).replace(/\n$/, '')).toBe(start);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the last line', () => {
  it.each([
    ['one\ntwo\nthree', 'three'],
    ['one\ntwo\n\n  \n', 'two'],
    ['10 %\r50 %\r90 %', '90 %'],
    ['\u001b[32mgreen\u001b[0m\u0007\n', 'green'],
    ['', ''],
    ['x'.repeat(500), `${'x'.repeat(199)}…`],
  ])('of %j is %j', (text, line) => {
    const capture = createCapture(4);
    for (const character of text) capture.add(Buffer.from(character));
    expect(capture.lastLine()).toBe(line);
  });

  it('is whole when it comes in several pieces', () => {
    const capture = createCapture(4);
    for (const piece of ['first\nsec', 'ond ', 'line']) capture.add(Buffer.from(piece));
    expect(capture.lastLine()).toBe('second line');
  });
});

function captured(content: string | Uint8Array, cap: number, step = 3) {
  const bytes = Buffer.from(content);
  const capture = createCapture(cap);
  for (let at = 0; at < bytes.length; at += step) capture.add(bytes.subarray(at, at + step));
  expect(capture.total()).toBe(bytes.length);
  return capture.finish();
}
