import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellWords } from '../../src/text/shell-words';

test('quotes and backslashes hold a word together', () => {
  expect(shellWords(`/bin/bash -lc 'cat a.ts | head -3'`)).toEqual(['/bin/bash', '-lc', 'cat a.ts | head -3']);
  expect(shellWords(`bash -lc "echo \\"it's "'$HOME"'`)).toEqual(['bash', '-lc', `echo "it's $HOME"`]);
  expect(shellWords('  a\\ b ""  "c\\n" ')).toEqual(['a b', '', 'c\\n']);
});

test('a torn line has no words', () => {
  expect([shellWords(`a 'b`), shellWords('a "b'), shellWords('a\\')]).toEqual([undefined, undefined, undefined]);
});

test('a shell splits the same way', () => {
  const piece = fc.constantFrom('a', 'b c', `'x y'`, `"p 'q"`, `"e\\"f"`, '\\ ', `''`, ' ', '-lc');
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      const line = pieces.join('');
      const said = execFileSync('/bin/sh', ['-c', `printf '%s\\n' start ${line}`], { encoding: 'utf8' });
      expect(['start', ...(shellWords(line) ?? ['torn'])].map((word) => `${word}\n`).join('')).toBe(said);
    }),
    { numRuns: 50 },
  );
});
