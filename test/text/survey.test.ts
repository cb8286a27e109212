import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFoldTable } from '../../src/text/match-help/fold';
import { survey, unitEnd, unitStart, unitsBefore } from '../../src/text/match-help/survey';

test('a unit is found back from its number, and its number from its place', () => {
  const table = createFoldTable();
  const unit = fc.constantFrom(
    'a',
    'é',
    ' ',
    '\n',
    '...',
    '.',
    '--',
    '&amp;',
    '&',
    '\\n',
    '\\u0041',
    '\u0301',
    'x'.repeat(300),
    ' '.repeat(5000),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), (units) => {
      const text = units.join('');
      const whole = survey(text, table);
      for (let index = 0; index < whole.size; index += 7) {
        expect(unitsBefore(whole, unitStart(whole, index))).toBe(index);
        for (const place of [unitStart(whole, index), unitEnd(whole, index)])
          expect(unitsBefore(whole, place)).toBe(survey(text.slice(0, place), table).size);
      }
    }),
  );
});
