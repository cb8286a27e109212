import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextChange } from '../../src/text/change-list';
import { applyEdits, type StagedEdit } from '../../src/text/staged-file';
import { stageNaively } from './stage-naively';

const CONFIG = '[server]\nhost = "localhost"\nport = 8080\n\n[app]\ndebug = false\n';

function edit(old_string: string, new_string: string): StagedEdit {
  return { old_string, new_string };
}

describe('edits that succeed', () => {
  test('each edit works on the text of those before it, and reports the lines of its match there', () => {
    const edits = [edit('port = 8080', 'port = 3000'), edit('"localhost"', '"0.0.0.0"'), edit('= false', '= true')];
    expect(applyEdits(CONFIG, edits)).toEqual({
      ok: true,
      text: '[server]\nhost = "0.0.0.0"\nport = 3000\n\n[app]\ndebug = true\n',
      ranges: [
        { start: 3, end: 3 },
        { start: 2, end: 2 },
        { start: 6, end: 6 },
      ],
      changes: [
        { start: 17, end: 26, text: '0.0.0.0' },
        { start: 35, end: 38, text: '300' },
        { start: 55, end: 59, text: 'tru' },
      ],
    });
  });

  test('an edit may find what an earlier one made', () => {
    expect(applyEdits('AAA', [edit('AAA', 'BBB'), edit('BBB', 'CCC')])).toEqual({
      ok: true,
      text: 'CCC',
      ranges: [
        { start: 1, end: 1 },
        { start: 1, end: 1 },
      ],
      changes: [{ start: 0, end: 3, text: 'CCC' }],
    });
  });

  test('a match may straddle what earlier edits made and what they left', () => {
    expect(applyEdits('one two three', [edit('two', 'TWO'), edit('ne TW', '-'), edit('O th', '+')])).toEqual({
      ok: true,
      text: 'o-+ree',
      ranges: [
        { start: 1, end: 1 },
        { start: 1, end: 1 },
        { start: 1, end: 1 },
      ],
      changes: [{ start: 1, end: 10, text: '-+' }],
    });
  });

  test('a match that ends with its line end belongs to that line, and later lines move with the edits before them', () => {
    const staged = applyEdits('a\nb\nc\n', [edit('a\n', '1\n2\n3\n'), edit('b\nc\n', 'B\n'), edit('3\nB', '!')]);
    expect(staged).toEqual({
      ok: true,
      text: '1\n2\n!\n',
      ranges: [
        { start: 1, end: 1 },
        { start: 4, end: 5 },
        { start: 3, end: 4 },
      ],
      changes: [{ start: 0, end: 5, text: '1\n2\n!' }],
    });
  });

  test('edits that undo each other leave no change', () => {
    expect(applyEdits('x', [edit('x', 'y'), edit('y', 'x')])).toMatchObject({ ok: true, text: 'x', changes: [] });
  });

  test('a replacement is literal', () => {
    expect(applyEdits('cost', [edit('cost', "$& $1 $$ \\n $'")])).toMatchObject({ ok: true, text: "$& $1 $$ \\n $'" });
  });

  test('a string with \\n line ends finds \\r\\n text, and its replacement takes them', () => {
    const text = 'one\r\ntwo\r\nthree\r\n';
    expect(applyEdits(text, [edit('one\ntwo\n', '1\n2\r\n'), edit('2\nthree', 'two\nand three')])).toEqual({
      ok: true,
      text: '1\r\ntwo\r\nand three\r\n',
      ranges: [
        { start: 1, end: 2 },
        { start: 2, end: 3 },
      ],
      changes: [{ start: 0, end: 10, text: '1\r\ntwo\r\nand ' }],
    });
  });

  test('a change never parts a surrogate pair', () => {
    expect(applyEdits('😀', [edit('😀', '😁')])).toMatchObject({ changes: [{ start: 0, end: 2, text: '😁' }] });
  });
});

describe('edits that fail', () => {
  test('a string that was never there is not found, and the text searched is told', () => {
    expect(applyEdits('line 1\nline 2\n', [edit('line 1', 'LINE 1'), edit('line 3', 'LINE 3')])).toEqual({
      ok: false,
      failure: { kind: 'not_found', index: 1, old_string: 'line 3', text: 'LINE 1\nline 2\n' },
    });
  });

  test('the same string twice is not found the second time', () => {
    expect(applyEdits('foo', [edit('foo', 'bar'), edit('foo', 'baz')])).toEqual({
      ok: false,
      failure: { kind: 'not_found', index: 1, old_string: 'foo', text: 'bar' },
    });
  });

  test('a string that an edit made ambiguous is not unique', () => {
    expect(applyEdits('A', [edit('A', 'AA'), edit('A', 'B')])).toEqual({
      ok: false,
      failure: { kind: 'not_unique', index: 1, count: 2, lines: [1, 1] },
    });
  });

  test('occurrences are counted with overlaps', () => {
    expect(applyEdits('\naaa', [edit('aa', 'b')])).toEqual({
      ok: false,
      failure: { kind: 'not_unique', index: 0, count: 2, lines: [2, 2] },
    });
  });

  test('a count is exact where only the first hundred lines are listed', () => {
    const lines = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(applyEdits('x\n'.repeat(5000), [edit('x', 'y')])).toEqual({
      ok: false,
      failure: { kind: 'not_unique', index: 0, count: 5000, lines },
    });
  });

  test('a string of which another edit changed a part conflicts with the first such edit', () => {
    const edits = [edit('gamma', 'GAMMA'), edit('alpha', 'ALPHA'), edit('beta', 'BETA'), edit('alpha beta', 'x')];
    expect(applyEdits('alpha beta gamma', edits)).toEqual({
      ok: false,
      failure: { kind: 'conflict', index: 3, prior_index: 1 },
    });
  });

  test('an edit that matched part of a string but left that part alone is not blamed', () => {
    const edits = [edit('abc', 'abd'), edit('x', 'y'), edit('xa', 'z')];
    expect(applyEdits('xabc', edits)).toEqual({ ok: false, failure: { kind: 'conflict', index: 2, prior_index: 1 } });
  });

  test('an edit that inserted into a string conflicts with it', () => {
    expect(applyEdits('ab', [edit('ab', 'a-b'), edit('b', 'B'), edit('ab', 'x')])).toEqual({
      ok: false,
      failure: { kind: 'conflict', index: 2, prior_index: 1 },
    });
    expect(applyEdits('xaby', [edit('ab', 'a-b'), edit('xaby', '')])).toEqual({
      ok: false,
      failure: { kind: 'conflict', index: 1, prior_index: 0 },
    });
  });

  test('an edit of what another one made is not blamed for the original', () => {
    expect(applyEdits('foo', [edit('foo', 'bar'), edit('bar', 'baz'), edit('foo', 'x')])).toMatchObject({
      failure: { kind: 'not_found', index: 2 },
    });
  });
});

describe('against plain string staging', () => {
  const piece = fc.constantFrom('a', 'a', 'b', '\n', '\r\n', '\r', '😀');
  const text = (maxLength: number) => fc.array(piece, { maxLength }).map((pieces) => pieces.join(''));
  const step = fc.record({
    source: fc.constantFrom('unique', 'unique', 'unique', 'unique', 'unique', 'staged', 'original', 'random'),
    bare: fc.boolean(),
    at: fc.nat(80),
    length: fc.integer({ min: 1, max: 6 }),
    random: text(3),
    new_string: text(4),
  });

  test.each([
    ['tiny texts', 6],
    ['short texts', 14],
    ['longer texts', 60],
  ])('every outcome is the same on %s', (_, maxLength) => {
    fc.assert(
      fc.property(text(maxLength), fc.array(step, { minLength: 1, maxLength: 12 }), (original, steps) => {
        const edits: StagedEdit[] = [];
        for (const { source, at, length, bare, random, new_string } of steps) {
          const naive = stageNaively(original, edits);
          if (!naive.ok) break;
          const from = source === 'original' ? original : naive.text;
          const start = at % (from.length + 1);
          let end = start + length;
          while (source === 'unique' && end < from.length && from.indexOf(from.slice(start, end), start + 1) !== -1)
            end++;
          const cut = source === 'random' ? random : from.slice(start, end);
          const old_string = bare ? cut.replaceAll('\r\n', '\n') : cut;
          if (old_string !== '') edits.push({ old_string, new_string });
        }
        const { changes, ...outcome } = withChanges(applyEdits(original, edits));
        expect(outcome).toEqual(stageNaively(original, edits));
        if (outcome.ok) expectMinimal(original, outcome.text, changes);
      }),
      { numRuns: 4000 },
    );
  });
});

function withChanges(outcome: ReturnType<typeof applyEdits>) {
  return outcome.ok ? outcome : { ...outcome, changes: [] };
}

function expectMinimal(original: string, final: string, changes: readonly TextChange[]): void {
  let rebuilt = '';
  let done = 0;
  for (const [index, { start, end, text }] of changes.entries()) {
    if (index > 0) expect(start).toBeGreaterThan(done);
    expect(original.slice(start, end)).not.toBe(text);
    rebuilt += original.slice(done, start) + text;
    done = end;
  }
  expect(rebuilt + original.slice(done)).toBe(final);
}
