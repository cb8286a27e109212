import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { TextChange } from '../../src/text/change-list';
import { applyEdits } from '../../src/text/staged-file';
import { unifiedDiff, wholeChange } from '../../src/text/unified-diff';

function numbers(count: number): string {
  return Array.from({ length: count }, (_, index) => `${index + 1}\n`).join('');
}

function diffOf(original: string, ...edits: [old_string: string, new_string: string][]): string {
  const staged = applyEdits(
    original,
    edits.map(([old_string, new_string]) => ({ old_string, new_string })),
  );
  if (!staged.ok) throw new Error(staged.failure.kind);
  return unifiedDiff('f.txt', original, staged.changes);
}

describe('the words of a diff', () => {
  test('three lines of context stand around a change', () => {
    expect(diffOf(numbers(9), ['5\n', 'five\n'])).toBe(
      '--- f.txt\n+++ f.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n',
    );
  });

  test('changes with six lines between them share a hunk, with seven they do not', () => {
    expect(diffOf(numbers(9), ['1\n', 'a\n'], ['8\n', 'b\n'])).toBe(
      '--- f.txt\n+++ f.txt\n@@ -1,9 +1,9 @@\n-1\n+a\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+b\n 9\n',
    );
    expect(diffOf(numbers(9), ['1\n', 'a\n0\n'], ['9\n', 'b\n'])).toBe(
      '--- f.txt\n+++ f.txt\n@@ -1,4 +1,5 @@\n-1\n+a\n+0\n 2\n 3\n 4\n@@ -6,4 +7,4 @@\n 6\n 7\n 8\n-9\n+b\n',
    );
  });

  test('lines that a match holds but leaves alone are context', () => {
    expect(diffOf('a\nb\nc\nd\n', ['a\nb\nc\nd\n', 'a\nB\nc\nd\n'])).toBe(
      '--- f.txt\n+++ f.txt\n@@ -1,4 +1,4 @@\n a\n-b\n+B\n c\n d\n',
    );
    expect(diffOf('ab\nac\n', ['ab\nac\n', 'ac\n'])).toBe('--- f.txt\n+++ f.txt\n@@ -1,2 +1,1 @@\n-ab\n ac\n');
  });

  test('changes in one line are one change, in neighbouring lines two', () => {
    expect(diffOf('one two three\n', ['one', '1'], ['three', '3'])).toBe(
      '--- f.txt\n+++ f.txt\n@@ -1,1 +1,1 @@\n-one two three\n+1 two 3\n',
    );
    expect(diffOf('one\ntwo\n', ['one', '1'], ['two', '2'])).toBe(
      '--- f.txt\n+++ f.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n-two\n+2\n',
    );
  });

  test('a last line without line end is marked, on each side where it is', () => {
    expect(diffOf('a\nb', ['b', 'b\n'])).toBe(
      '--- f.txt\n+++ f.txt\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n',
    );
    expect(diffOf('a\nb\n', ['b\n', 'b'])).toBe(
      '--- f.txt\n+++ f.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n',
    );
    expect(diffOf('a\nb', ['a', 'A'])).toBe(
      '--- f.txt\n+++ f.txt\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n',
    );
  });

  test('an empty side is line zero', () => {
    expect(unifiedDiff('f.txt', '', wholeChange('', 'a\n'))).toBe('--- f.txt\n+++ f.txt\n@@ -0,0 +1,1 @@\n+a\n');
    expect(unifiedDiff('f.txt', 'a\n', wholeChange('a\n', ''))).toBe('--- f.txt\n+++ f.txt\n@@ -1,1 +0,0 @@\n-a\n');
  });

  test('no net change is no diff', () => {
    expect(diffOf('a', ['a', 'b'], ['b', 'a'])).toBe('');
    expect(unifiedDiff('f.txt', 'a\n', [{ start: 0, end: 1, text: 'a' }])).toBe('');
    expect(unifiedDiff('f.txt', 'a', wholeChange('a', 'a'))).toBe('');
  });

  test('a name stays on one line', () => {
    const header = (name: string) => unifiedDiff(name, '', wholeChange('', 'x')).split('\n')[0];
    expect(header('my file.txt')).toBe('--- my file.txt\t');
    expect(header('übung.txt')).toBe('--- übung.txt');
    expect(header('a\tb\n"c"\\\u0085')).toBe('--- "a\\011b\\012\\"c\\"\\\\\\302\\205"');
    expect(header(' lead')).toBe('--- " lead"');
  });
});

describe('between whole texts', () => {
  test('shared lines at both ends are left out', () => {
    expect(wholeChange('a\nb\nc\nd', 'a\nB\nc\nd')).toEqual([{ start: 2, end: 4, text: 'B\n' }]);
    expect(wholeChange('same', 'same')).toEqual([]);
  });

  test('a file rewritten in 10,000 lines is diffed whole', () => {
    const before = numbers(10_000);
    const after = before.replaceAll('\n', '.\n');
    const diff = unifiedDiff('f.txt', before, wholeChange(before, after));
    expect(diff.length).toBe(
      before.length + after.length + 20_000 + '--- f.txt\n+++ f.txt\n@@ -1,10000 +1,10000 @@\n'.length,
    );
  });
});

describe('long lines', () => {
  test.each([65_534, 65_535, 65_536, 65_537, 200_000])('of %i characters are printed whole', (length) => {
    const line = 'x'.repeat(length);
    const diff = unifiedDiff('f.txt', `${line}a\n${line}b`, [{ start: length, end: length + 1, text: 'A' }]);
    expect(diff).toBe(
      `--- f.txt\n+++ f.txt\n@@ -1,2 +1,2 @@\n-${line}a\n+${line}A\n ${line}b\n\\ No newline at end of file\n`,
    );
  });

  test('a change inside a line of 300,000 characters, and a line added to it', () => {
    const before = `start ${'x'.repeat(300_000)}\n`;
    const changes = [
      { start: 0, end: 5, text: 'begin' },
      { start: before.length - 1, end: before.length - 1, text: '\nend' },
    ];
    const after = `begin ${'x'.repeat(300_000)}`;
    expect(unifiedDiff('f', before, changes)).toBe(`--- f\n+++ f\n@@ -1,1 +1,2 @@\n-${before}+${after}\n+end\n`);
  });
});

describe('many changes at once, which quadratic work would not finish', () => {
  const COUNT = 60_000;

  test.each([
    ['each in a line of its own', 'a\n', 'b\n'],
    ['all in one long line', 'a,', 'b,'],
  ])('%s', (_, before, after) => {
    const changes = Array.from({ length: COUNT }, (_, index) => ({ start: 2 * index, end: 2 * index + 1, text: 'b' }));
    const diff = unifiedDiff('f.txt', before.repeat(COUNT), changes);
    const lines = diff.split('\n').slice(3);
    const side = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
    expect([side('-'), side('+')]).toEqual(
      [before, after].map((text) =>
        text
          .repeat(COUNT)
          .split(/\n(?=.)|\n$/)
          .filter(Boolean),
      ),
    );
  });
});

describe('patch and git apply turn the old file into the new one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-diff-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const line = fc.constantFrom(
    'a\n',
    'b\n',
    'c\r\n',
    '\n',
    '\r\n',
    'x\ry\n',
    'ü😀\n',
    '-- a\n',
    '+++ b\n',
    '@@ -1 +1 @@\n',
  );
  const end = fc.constantFrom('', '', 'end', 'a\r', '\\ No newline', ' ');
  const text = fc.tuple(fc.array(line, { maxLength: 30 }), end).map(([lines, last]) => lines.join('') + last);

  test('by random changes at random places', () => {
    const change = fc.tuple(fc.nat(120), fc.nat(6), fc.constantFrom('', 'Z', 'Z\n', '\n', '\r\n', 'a\nb\n', 'ü'));
    const scenario = fc.tuple(text, fc.array(change, { maxLength: 5 })).map(([original, wishes]) => {
      const changes: TextChange[] = [];
      for (const [gap, length, added] of wishes) {
        const start = (changes.at(-1)?.end ?? -1) + 1 + (gap % 40);
        if (start > original.length) break;
        changes.push({ start, end: Math.min(original.length, start + length), text: added });
      }
      return { original, changes };
    });
    const encodable = scenario.filter(({ original, changes }) => rebuild(original, changes).isWellFormed());
    fc.assert(
      fc.property(encodable, ({ original, changes }) => expectApplied(folder, original, changes)),
      { numRuns: 60 },
    );
  });

  test('by whole texts', () => {
    fc.assert(
      fc.property(text, text, (before, after) => expectApplied(folder, before, wholeChange(before, after))),
      { numRuns: 30 },
    );
  });

  test.each([
    ['an empty file that gets text', '', 'a\nb'],
    ['a file that becomes empty', 'a\nb', ''],
    ['a file of one lone \\r', '\r', '\r\r'],
    ['line ends that change', 'a\nb\nc\n', 'a\r\nb\r\nc\r\n'],
    ['a byte order mark', '\ufeffa\n', '\ufeffb\n'],
  ])('by %s', (_, before, after) => {
    expectApplied(folder, before, wholeChange(before, after));
  });

  test.each([
    'my file.txt',
    ' both ends ',
    'übung.txt',
    'tab\there',
    'line\nend',
    '"quoted"',
    'back\\slash',
    'a 2024-01-02 03:04:05',
  ])('in a file named %j', (name) => {
    expectApplied(folder, 'a\nb\n', [{ start: 0, end: 1, text: 'A' }], name);
  });
});

function expectApplied(folder: string, original: string, changes: readonly TextChange[], name = 'f.txt'): void {
  const diff = unifiedDiff(name, original, changes);
  const final = rebuild(original, changes);
  expect(diff === '').toBe(original === final);
  if (diff === '') return;
  const shown = { original, diff };
  expect({
    ...shown,
    by: 'patch',
    text: applied(folder, name, shown, 'patch', ['-p0', '-i', '../change.diff']),
  }).toEqual({
    ...shown,
    by: 'patch',
    text: final,
  });
  const git = ['apply', '-p0', '--whitespace=nowarn', '../change.diff'];
  expect({ ...shown, by: 'git', text: applied(folder, name, shown, 'git', git) }).toEqual({
    ...shown,
    by: 'git',
    text: final,
  });
}

function applied(
  folder: string,
  name: string,
  { original, diff }: { original: string; diff: string },
  command: string,
  args: string[],
): string {
  const work = join(folder, 'work');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  writeFileSync(join(work, name), original);
  writeFileSync(join(folder, 'change.diff'), diff);
  const env = { PATH: process.env.PATH, GIT_CEILING_DIRECTORIES: folder, GIT_CONFIG_GLOBAL: devNull };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: work, env, encoding: 'utf8' });
  return status === 0 ? readFileSync(join(work, name), 'utf8') : `${command} failed: ${stdout}${stderr}`;
}

function rebuild(original: string, changes: readonly TextChange[]): string {
  let text = '';
  let done = 0;
  for (const change of changes) {
    text += original.slice(done, change.start) + change.text;
    done = change.end;
  }
  return text + original.slice(done);
}
