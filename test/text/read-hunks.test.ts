import fc from 'fast-check';
import { expect, test } from 'vitest';
import { skipLines } from '../../src/text/lines';
import { readHunks } from '../../src/text/read-hunks';
import { unifiedDiff, wholeChange } from '../../src/text/unified-diff';

test('each hunk gives its line, and its text before and after', () => {
  expect(
    readHunks('--- a\n+++ a\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n@@ -13,2 +13,3 @@ f()\n x\n-y\n+z\n+\n'),
  ).toEqual([
    { line: 1, oldText: 'one\ntwo\nthree\n', newText: 'one\nTWO\nthree\n' },
    { line: 13, oldText: 'x\ny\n', newText: 'x\nz\n\n' },
  ]);
});

test('a last line without a line end has none, on each side where it is so', () => {
  const mark = '\\ No newline at end of file\n';
  expect(readHunks(`@@ -1 +1 @@\n-a\n${mark}+b\n`)).toEqual([{ line: 1, oldText: 'a', newText: 'b\n' }]);
  expect(readHunks(`@@ -1 +1 @@\n-a\n+b\n${mark}`)).toEqual([{ line: 1, oldText: 'a\n', newText: 'b' }]);
  expect(readHunks(`@@ -1,2 +1,1 @@\n-a\n b\n${mark}`)).toEqual([{ line: 1, oldText: 'a\nb', newText: 'b' }]);
});

test('what follows the last counted line is no line of the file', () => {
  expect(readHunks('@@ -1,2 +1,2 @@\n-a\n+b\n c\n\n\nMoved to: /x')).toEqual([
    { line: 1, oldText: 'a\nc\n', newText: 'b\nc\n' },
  ]);
});

test('lines that look like headers are lines where the counts say so', () => {
  expect(readHunks('@@ -1,2 +1,1 @@\n--- a\n-@@ -1 +1 @@\n+++ b\n')).toEqual([
    { line: 1, oldText: '-- a\n@@ -1 +1 @@\n', newText: '++ b\n' },
  ]);
});

test('a torn hunk is left out', () => {
  expect(readHunks('@@ -1,3 +1,3 @@\n a\n-b')).toEqual([]);
  expect(readHunks('@@ -1,1 +1,1 @@\nnonsense\n')).toEqual([]);
  expect(readHunks('no diff at all')).toEqual([]);
});

test('what `unifiedDiff` writes is read back: the hunk makes one text of the other', () => {
  const text = fc
    .array(fc.constantFrom('a\n', 'b\n', '\n', '-\n', '+\n', 'c\r\n'), { maxLength: 30 })
    .map((all) => all.join(''));
  const tail = fc.constantFrom('', 'end', 'other');
  fc.assert(
    fc.property(text, text, tail, tail, (before, after, oldTail, newTail) => {
      const [old, final] = [before + oldTail, after + newTail];
      const hunks = readHunks(unifiedDiff('f', old, wholeChange(old, final)));
      expect(hunks).toHaveLength(old === final ? 0 : 1);
      for (const { line, oldText, newText } of hunks) {
        const start = skipLines(old, 0, line - 1);
        expect(old.startsWith(oldText, start)).toBe(true);
        expect(old.slice(0, start) + newText + old.slice(start + oldText.length)).toBe(final);
      }
    }),
  );
});
