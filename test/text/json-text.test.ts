/** JSON put together from pieces is the JSON that `JSON.stringify` makes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeJson, type Form, MAX_ESCAPED_CHARACTERS } from '../../src/text/escape-json';
import { JsonText } from '../../src/text/json-text';
import { LongText } from '../../src/text/long-text';

const FORMS: readonly Form[] = ['plain', 'nested'];
/** Every kind of character that matters to JSON, to UTF-8, or to what is looked at sixteen at a time. */
const unit = fc.constantFrom(
  ...'ab "\\/\n\r\t\b\f\0\u001f\u007f\u0080é\u07ff\u0800€\u2028\ufeff\uffff',
  '😀',
  '\ud83d',
  '\ude00',
);
const text = fc.string({ unit, maxLength: 300 });
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.constantFrom(true, false, null, undefined, 1.5, Number.NaN, new Date(0), Object.create(null)),
    fc.array(text, { maxLength: 3 }),
    fc.dictionary(fc.string({ unit, maxLength: 3 }), tie('any'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).any;

function expected(made: unknown, form: Form): string {
  const json = JSON.stringify(made);
  return form === 'plain' ? json : JSON.stringify(json).slice(1, -1);
}

describe.each(FORMS)('%s', (form) => {
  it('is what JSON.stringify makes of any value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 4 }), value, { noNullPrototype: true }), (made) => {
        expect(new JsonText().addValue(made, form).toString()).toBe(expected(made, form));
      }),
      { numRuns: 400 },
    );
  });

  it('is the same for a text of many slices, wherever they are cut', () => {
    for (const lead of ['', 'a', 'ab']) {
      const made = { long: `${lead}${'😀"\n'.repeat(MAX_ESCAPED_CHARACTERS)}\ud83d`, after: [1, 'x'] };
      expect(new JsonText().addValue(made, form).toString()).toBe(expected(made, form));
    }
  });

  it('is the same for a long list', () => {
    const made = { list: Array.from({ length: 5_000 }, (_, at) => ({ path: `src/"${at}".ts`, size: at })) };
    expect(new JsonText().addValue(made, form).toString()).toBe(expected(made, form));
  });

  it('of a long text that stays in its bytes is the same', () => {
    const made = `${'"quoted" \\ größe 漢字 😀\n'.repeat(20_000)}end`;
    for (const encoding of ['utf-8', 'utf-16le'] as const) {
      const bytes = Buffer.from(made, encoding === 'utf-8' ? 'utf8' : 'utf16le');
      const json = new JsonText().addValue({ content: new LongText(bytes, encoding), lines: 3 }, form);
      expect(json.toString() === expected({ content: made, lines: 3 }, form)).toBe(true);
      for (const slice of json.give()) expect(slice.length).toBeLessThan(8 * MAX_ESCAPED_CHARACTERS);
    }
  });

  it('escapes every byte alike, in every place of a block', () => {
    for (let code = 0; code < 256; code++)
      for (const before of [0, 1, 15, 16, 63, 80]) {
        const made = 'x'.repeat(before) + String.fromCharCode(code) + 'y'.repeat(80 - before);
        expect(`"${escapeJson(made, 'plain')}"`).toBe(JSON.stringify(made));
      }
  });
});

it('gives a short text whole, and a long one in slices that are made when they are asked for', () => {
  expect(new JsonText().add('[').addValue('a', 'plain').add(']').give()).toBe('["a"]');
  const slices = [...(new JsonText().addValue('x'.repeat(100_000), 'plain').give() as Iterable<string>)];
  expect(slices.length).toBeGreaterThan(3);
  expect(slices.join('')).toBe(JSON.stringify('x'.repeat(100_000)));
});
