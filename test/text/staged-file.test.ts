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

describe('against plain string staging, every outcome is the same', () => {
  const piece = fc.constantFrom('a', 'a', 'b', '\n', '\r\n', '\r', '😀');
  const block = fc.constantFrom('abababab', 'abc', 'x = 1;\n', 'y = 2;\r\n', '\r\n\r\n', 'aaaaaaaaaa', '😀\r');
  const join = (unit: fc.Arbitrary<string>, size: fc.ArrayConstraints) =>
    fc.array(unit, size).map((all) => all.join(''));

  const sources = ['unique', 'unique', 'unique', 'unique', 'unique', 'staged', 'original', 'random'] as const;
  const steps = (unit: fc.Arbitrary<string>, length: fc.IntegerConstraints) => {
    return fc.record({
      source: fc.constantFrom(...sources),
      bare: fc.boolean(),
      at: fc.nat(400),
      length: fc.integer(length),
      random: join(unit, { maxLength: 3 }),
      new_string: join(unit, { maxLength: 4 }),
    });
  };

  test.each([
    ['tiny texts', piece, 6, { min: 1, max: 6 }, 1],
    ['short texts', piece, 14, { min: 1, max: 6 }, 1],
    ['longer texts', piece, 60, { min: 1, max: 6 }, 1],
    ['long strings, searched for all at once', block, 30, { min: 8, max: 40 }, 24],
    ['short strings, searched for all at once', piece, 60, { min: 1, max: 6 }, 24],
  ])('on %s', (_, unit, maxLength, length, minEdits) => {
    const scenario = fc.tuple(
      join(unit, { maxLength }),
      fc.array(steps(unit, length), { minLength: 1, maxLength: 12 }),
    );
    fc.assert(
      fc.property(scenario, ([original, wishes]) => {
        const edits: StagedEdit[] = [];
        for (const wish of wishes) {
          const naive = stageNaively(original, edits);
          if (!naive.ok) break;
          const old_string = choose(original, naive.text, wish);
          if (old_string !== '') edits.push({ old_string, new_string: wish.new_string });
        }
        // Strings that are never reached after a failure still decide how the others are searched for.
        const wanted = [...edits];
        while (edits.length < minEdits)
          edits.push(edit(`never ${edits.length} ${original.slice(0, 20)}`, ''), ...wanted);
        const { changes, ...outcome } = withChanges(applyEdits(original, edits));
        expect(outcome).toEqual(stageNaively(original, edits));
        if (outcome.ok) expectMinimal(original, outcome.text, changes);
      }),
      { numRuns: 1000 },
    );
  });

  test('hundreds of edits, of which many meet', () => {
    const cut = fc.record({ at: fc.nat(), length: fc.nat(30), new_string: join(block, { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(cut, { minLength: 300, maxLength: 400 }), fc.boolean(), (cuts, isLast) => {
        const original = Array.from({ length: 100 }, (_, line) => `line ${line} of the text\r\n`).join('');
        const edits: StagedEdit[] = [];
        let text = original;
        for (const { at, length, new_string } of cuts) {
          const start = at % (text.length + 1);
          let end = start + length;
          while (end < text.length && text.indexOf(text.slice(start, end)) !== text.lastIndexOf(text.slice(start, end)))
            end++;
          const old_string = text.slice(start, end);
          if (old_string === '' || text.indexOf(old_string) !== text.lastIndexOf(old_string)) continue;
          edits.push(edit(old_string, new_string));
          text = text.replace(old_string, () => new_string);
        }
        if (isLast) edits.push(edit('not there', ''), ...edits);
        const { changes, ...outcome } = withChanges(applyEdits(original, edits));
        expect(outcome).toEqual(stageNaively(original, edits));
        if (outcome.ok) expectMinimal(original, outcome.text, changes);
      }),
      { numRuns: 20 },
    );
  });

  function choose(
    original: string,
    staged: string,
    wish: { source: (typeof sources)[number]; bare: boolean; at: number; length: number; random: string },
  ): string {
    const text = wish.source === 'original' ? original : staged;
    const start = wish.at % (text.length + 1);
    let end = start + wish.length;
    const isUnique = () => text.indexOf(text.slice(start, end)) === text.lastIndexOf(text.slice(start, end));
    while (wish.source === 'unique' && end < text.length && !isUnique()) end++;
    const cut = wish.source === 'random' ? wish.random : text.slice(start, end);
    return wish.bare ? cut.replaceAll('\r\n', '\n') : cut;
  }
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
