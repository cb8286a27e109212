import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldJson } from '../../src/text/json-lines';

test.each([
  ['{"a": 1}', '{"a": 1}'],
  [' \n{"a":1}\r\n', '{"a":1}'],
  ['{\n  "a": 1,\r\n\t"b":  2\n}', '{ "a": 1, "b":  2 }'],
  ['{"a": "x  \\n y"}', '{"a": "x  \\n y"}'],
  ['[1,\n\n\n2]', '[1, 2]'],
  ['12345678901234567890.10', '12345678901234567890.10'],
  ['{"a":1,\n"a":2}', '{"a":1, "a":2}'],
  ['"\u2028"', '"\u2028"'],
  ['null', 'null'],
])('%j becomes one line', (entry, line) => {
  expect(foldJson(entry)).toEqual({ ok: true, line });
});

test.each([
  '',
  ' ',
  '{',
  '{"a":1}{"b":2}',
  '{"a":1}\n{"b":2}',
  "{'a':1}",
  '"line\nbreak"',
  '\ufeff{}',
  'undefined',
  '"\ud800"',
])('%j is refused', (entry) => {
  expect(foldJson(entry)).toMatchObject({ ok: false, problem: expect.any(String) });
});

test('any value in any layout becomes one line with the same value', () => {
  const layout = fc.constantFrom('', ' ', '\t', '\n', '\r\n  ');
  fc.assert(
    fc.property(fc.jsonValue(), layout, layout, (value, indent, around) => {
      const entry = around + JSON.stringify(value, null, indent.replace(/[\r\n]/g, '  ')) + around;
      const folded = foldJson(entry);
      if (!folded.ok) throw new Error(folded.problem);
      expect(folded.line).not.toMatch(/[\r\n]|^\s|\s$/);
      expect(JSON.stringify(JSON.parse(folded.line))).toBe(JSON.stringify(JSON.parse(entry)));
      if (!/[\r\n]/.test(entry.trim())) expect(folded.line).toBe(entry.trim());
    }),
  );
});
