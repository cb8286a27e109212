import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachWay } from '../harness/each-way';
import { answerOf, ONE_WAY } from './editor-answers';

type Edit = readonly [old: string, replacement: string];
const lines = (count: number, end = '\n') => Array.from({ length: count }, (_, at) => `line ${at + 1}${end}`).join('');

/** Name, what it is about, the text before, and the edits. */
const CHANGES: readonly (readonly [about: string, name: string, before: string, edits: readonly Edit[]])[] = [
  ['one line in the middle', 'file.txt', lines(9), [['line 5', 'five']]],
  [
    'the first and the last line',
    'file.txt',
    lines(30),
    [
      ['line 1\n', 'first\n'],
      ['line 30\n', 'last\n'],
    ],
  ],
  ['lines put in', 'file.txt', lines(9), [['line 5\n', 'line 5\nnew\nnewer\n']]],
  ['lines taken out', 'file.txt', lines(9), [['line 4\nline 5\n', '']]],
  ['everything taken out', 'file.txt', 'gone\n', [['gone\n', '']]],
  ['no newline at the end, before and after', 'file.txt', 'a\nb', [['b', 'c']]],
  ['no newline at the end, the change far from it', 'file.txt', `${lines(3)}end`, [['line 2', 'two']]],
  ['a newline at the end added', 'file.txt', 'a\nb', [['b', 'b\n']]],
  ['a newline at the end taken away', 'file.txt', 'a\nb\n', [['b\n', 'b']]],
  ['\\r\\n line ends', 'file.txt', lines(9, '\r\n'), [['line 4\nline 5', 'four\nfive\nand more']]],
  [
    'mixed line ends',
    'file.txt',
    'a\r\nb\nc\r\nd\n',
    [
      ['b\n', 'b\r\n'],
      ['d', 'D'],
    ],
  ],
  ['a lone \\r', 'file.txt', 'a\rb\nc\n', [['a\rb', 'a\nb']]],
  ['lines that look like headers', 'file.txt', '--- a\n+++ b\n@@ -1 +1 @@\n\\ x\n', [['+++ b', '--- c\n+++ d']]],
  ['a byte order mark', 'file.txt', '\uFEFFa\nb\n', [['a', 'x']]],
  ['letters of all kinds', 'file.txt', 'Grüße 😀\n日本語\n', [['日本語', '中文 e\u0301']]],
  ['blanks at the end of lines', 'file.txt', 'a \nb\t\n\n \n', [['b\t', 'b  ']]],
  ['separators that are no line ends', 'file.txt', 'a\u2028b\fc\u0085d\ne\n', [['c\u0085d', 'c']]],
  ['a name with blanks', 'my file.txt', 'a\n', [['a', 'b']]],
  ['a name with letters of all kinds', 'Grüße-日本.txt', 'a\n', [['a', 'b']]],
  [
    'many hunks',
    'file.txt',
    lines(100),
    [
      ['line 90\n', '90\n'],
      ['line 10\n', '10\n1\n'],
      ['line 50\n', ''],
    ],
  ],
  [
    'edits that undo one another in part',
    'file.txt',
    lines(20),
    [
      ['line 3\n', 'x\n'],
      ['line 15\n', 'y\n'],
      ['x\n', 'line 3\n'],
    ],
  ],
];

eachWay(
  'diffs of the editor tools',
  {},
  (stage) => {
    const diffOf = async (name: string, before: string, edits: readonly Edit[]) => {
      const path = stage.workspace.write(name, before);
      const orders = edits.map(([old_string, new_string]) => ({ old_string, new_string }));
      const answer = await answerOf(stage.client, 'multi_edit_text_file', { path, edits: orders });
      return (answer as { diff: string }).diff;
    };

    it('bear the base name of the file [editor.diff.headers]', async () => {
      const diff = await diffOf('deep/down/file.txt', 'a\n', [['a', 'b']]);
      expect(diff).toBe('--- file.txt\n+++ file.txt\n@@ -1,1 +1,1 @@\n-a\n+b\n');
    });

    it('show three lines around a change [editor.diff.context]', async () => {
      const diff = await diffOf('file.txt', lines(11), [['line 6\n', 'six\n']]);
      expect(diff).toBe(
        `--- file.txt\n+++ file.txt\n@@ -3,7 +3,7 @@\n line 3\n line 4\n line 5\n-line 6\n+six\n line 7\n line 8\n line 9\n`,
      );
    });

    it('join changes whose context meets, and part those whose does not [editor.diff.context]', async () => {
      const near = await diffOf('file.txt', lines(30), [
        ['line 10\n', 'x\n'],
        ['line 17\n', 'y\n'],
      ]);
      const far = await diffOf('file.txt', lines(30), [
        ['line 10\n', 'x\n'],
        ['line 18\n', 'y\n'],
      ]);
      const hunks = (diff: string) => diff.match(/^@@.*$/gm);
      expect([hunks(near), hunks(far)]).toEqual([['@@ -7,14 +7,14 @@'], ['@@ -7,7 +7,7 @@', '@@ -15,7 +15,7 @@']]);
    });

    it('say where a newline is missing at the end [editor.diff.no-newline]', async () => {
      const none = '\\ No newline at end of file\n';
      expect([
        await diffOf('f', 'a\nb', [['b', 'c']]),
        await diffOf('f', 'a\nb', [['b', 'b\n']]),
        await diffOf('f', 'a\nb\n', [['b\n', 'b']]),
        await diffOf('f', 'a\nb', [['a', 'c']]),
        await diffOf('f', `a\n${lines(4)}b`, [['a', 'c']]),
      ]).toEqual([
        `--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n${none}+c\n${none}`,
        `--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n${none}+b\n`,
        `--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+b\n${none}`,
        `--- f\n+++ f\n@@ -1,2 +1,2 @@\n-a\n+c\n b\n${none}`,
        '--- f\n+++ f\n@@ -1,4 +1,4 @@\n-a\n+c\n line 1\n line 2\n line 3\n',
      ]);
    });

    describe.each([
      ['patch', 'patch', ['-p0', '--binary', '--quiet', '-i', 'change.diff']],
      ['git apply', 'git', ['apply', '-p0', '--whitespace=nowarn', 'change.diff']],
    ])('make the new file of the old one with %s', (_, program, args) => {
      const isMissing = spawnSync(program, ['--version']).status !== 0;

      it.skipIf(isMissing).each(CHANGES)(
        '%s [editor.diff.patch, editor.diff.git-apply]',
        async (about, name, before, edits) => {
          const diff = await diffOf(name, before, edits);
          const folder = stage.workspace.path(join('applied', program, about.replaceAll(/\W/g, '-')));
          mkdirSync(folder, { recursive: true });
          writeFileSync(join(folder, name), before);
          writeFileSync(join(folder, 'change.diff'), diff);
          execFileSync(program, args, { cwd: folder, stdio: 'pipe', env: { ...process.env, ...NO_GIT_SETTINGS } });
          expect(readFileSync(join(folder, name))).toEqual(stage.workspace.bytes(name));
        },
      );
    });
  },
  ONE_WAY,
);

/** No repository around the folder, and no conversion of line ends by the settings of whoever runs this. */
const NO_GIT_SETTINGS = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CEILING_DIRECTORIES: '/',
};
