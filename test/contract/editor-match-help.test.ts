import { describe, expect, it } from 'vitest';
import { eachWay } from '../harness/each-way';
import { answerOf, errorOf, ONE_WAY } from './editor-answers';

const edit = 'edit_text_file';
const MAX_ANSWER_CHARACTERS = 4_000;

const BASKET = `class Basket:
    def __init__(self, owner):
        self.owner = owner
        self.items = []

    def add(self, item, count=1):
        if count < 1:
            raise ValueError("count must be positive")

        self.items.append((item, count))

    def clear(self):
        self.items = []
`;
const TOTAL = `export function total(items) {
\tlet sum = 0;
\tfor (const item of items) {
\t\tsum += item.price * item.count;
\t}
\treturn sum;
}
`;

interface Mismatch {
  readonly reason: string;
  readonly file: string;
  readonly sent: string;
  /** What the file has there: the text to send instead. */
  readonly there: string;
  readonly lines: readonly [start: number, end: number];
}

const tabsVsSpaces: Mismatch = {
  reason: 'tabs_vs_spaces',
  file: TOTAL,
  sent: '    for (const item of items) {\n        sum += item.price * item.count;\n    }',
  there: '\tfor (const item of items) {\n\t\tsum += item.price * item.count;\n\t}',
  lines: [3, 5],
};
const indentation: Mismatch = {
  reason: 'indentation',
  file: BASKET,
  sent: 'def add(self, item, count=1):\n    if count < 1:\n        raise ValueError("count must be positive")',
  there: 'def add(self, item, count=1):\n        if count < 1:\n            raise ValueError("count must be positive")',
  lines: [6, 8],
};
const trailingWhitespace: Mismatch = {
  reason: 'trailing_whitespace',
  file: 'first line  \nsecond line\nthird line\n',
  sent: 'first line\nsecond line',
  there: 'first line  \nsecond line',
  lines: [1, 2],
};
const blankLines: Mismatch = {
  reason: 'blank_lines',
  file: BASKET,
  sent: '            raise ValueError("count must be positive")\n        self.items.append((item, count))',
  there: '            raise ValueError("count must be positive")\n\n        self.items.append((item, count))',
  lines: [8, 10],
};
const lineEndings: Mismatch = {
  reason: 'line_endings',
  file: 'one word\ntwo words\nthree words\n',
  sent: 'one word\r\ntwo words',
  there: 'one word\ntwo words',
  lines: [1, 2],
};
const quotes: Mismatch = {
  reason: 'quotes',
  file: 'She came.\nHe said “never again” and left.\nShe stayed.\n',
  sent: 'He said "never again" and left.',
  there: 'He said “never again” and left.',
  lines: [2, 2],
};
const invisibleCharacters: Mismatch = {
  reason: 'invisible_characters',
  file: 'price: 10\u00a0EUR net\nother: 5\n',
  sent: 'price: 10 EUR net',
  there: 'price: 10\u00a0EUR net',
  lines: [1, 1],
};
const unicodeForm: Mismatch = {
  reason: 'unicode_form',
  file: 'le caf\u00e9 de la gare\nfin\n',
  sent: 'le cafe\u0301 de la gare',
  there: 'le caf\u00e9 de la gare',
  lines: [1, 1],
};
const escaped: Mismatch = {
  reason: 'escaped',
  file: 'print("a\\n")\nprint("done")\n',
  sent: 'print(\\"a\\\\n\\")',
  there: 'print("a\\n")',
  lines: [1, 1],
};
const htmlEntities: Mismatch = {
  reason: 'html_entities',
  file: 'if (a < b && c > d) {\n  go();\n}\n',
  sent: 'if (a &lt; b &amp;&amp; c &gt; d) {',
  there: 'if (a < b && c > d) {',
  lines: [1, 1],
};
const lineNumbers: Mismatch = {
  reason: 'line_numbers',
  file: TOTAL,
  sent: '     2\t\tlet sum = 0;\n     3\t\tfor (const item of items) {',
  there: '\tlet sum = 0;\n\tfor (const item of items) {',
  lines: [2, 3],
};
const elided: Mismatch = {
  reason: 'elided',
  file: BASKET,
  sent: '    def add(self, item, count=1):\n        ...\n        self.items.append((item, count))',
  there: BASKET.split('\n').slice(5, 10).join('\n'),
  lines: [6, 10],
};
const letterCase: Mismatch = {
  reason: 'case',
  file: BASKET,
  sent: 'class basket:',
  there: 'class Basket:',
  lines: [1, 1],
};
const similar: Mismatch = {
  reason: 'similar',
  file: BASKET,
  sent: '            raise ValueError("count has to be positive")',
  there: '            raise ValueError("count must be positive")',
  lines: [8, 8],
};

eachWay(
  'help after a failed match',
  {},
  (stage) => {
    /** The promise of every reason that has a place: told exactly, once in the file, and it works when sent. */
    const helps = async ({ reason, file, sent, there, lines: [start_line, end_line] }: Mismatch) => {
      const path = stage.workspace.write('file.txt', file);
      expect(await errorOf(stage.client, edit, { path, old_string: sent, new_string: 'REPLACED' })).toEqual({
        code: -32010,
        message: `String not found in file: ${sent}`,
        data: {
          kind: 'string_not_found',
          path,
          index: 0,
          reason,
          start_line,
          end_line,
          old_string: there,
          hint: expect.any(String),
        },
      });
      expect(stage.workspace.read('file.txt')).toBe(file);
      expect(file.split(there)).toHaveLength(2);
      await answerOf(stage.client, edit, { path, old_string: there, new_string: 'REPLACED' });
      expect(stage.workspace.read('file.txt')).toBe(file.replace(there, 'REPLACED'));
    };

    describe('tells the reason, the place and the text to send instead', () => {
      it('tabs and spaces [editor.help.tabs-vs-spaces, editor.help.place, editor.help.exact-text]', () =>
        helps(tabsVsSpaces));
      it('indentation [editor.help.indentation]', () => helps(indentation));
      it('blanks at the end of lines [editor.help.trailing-whitespace]', () => helps(trailingWhitespace));
      it('blank lines [editor.help.blank-lines]', () => helps(blankLines));
      it('line ends, the other way round [editor.help.line-endings]', () => helps(lineEndings));
      it('typographic quotes [editor.help.quotes]', () => helps(quotes));
      it('a no-break space [editor.help.invisible-characters]', () => helps(invisibleCharacters));
      it('composed and decomposed letters [editor.help.unicode-form]', () => helps(unicodeForm));
      it('backslashes too many [editor.help.escaped]', () => helps(escaped));
      it('HTML entities [editor.help.html-entities]', () => helps(htmlEntities));
      it('line numbers copied along [editor.help.line-numbers]', () => helps(lineNumbers));
      it('text left out [editor.help.elided]', () => helps(elided));
      it('upper and lower case [editor.help.case]', () => helps(letterCase));
      it('text that is nearly the same [editor.help.similar]', () => helps(similar));
    });

    it('tells that the replacement stands there already, and where [editor.help.already-applied]', async () => {
      const path = stage.workspace.write('file.txt', BASKET);
      const order = {
        old_string: '    def empty(self):\n        self.items = None',
        new_string: '    def clear(self):\n        self.items = []',
      };
      const { data } = await errorOf(stage.client, edit, { path, ...order });
      expect(data).toEqual({
        kind: 'string_not_found',
        path,
        index: 0,
        reason: 'already_applied',
        start_line: 12,
        end_line: 13,
        hint: expect.any(String),
      });
    });

    it('claims no place when there is none [editor.help.not-there]', async () => {
      const path = stage.workspace.write('file.txt', BASKET);
      const order = { old_string: 'SELECT name FROM customers WHERE id = 7', new_string: 'x' };
      const { data } = await errorOf(stage.client, edit, { path, ...order });
      expect(data).toEqual({ kind: 'string_not_found', path, index: 0, reason: 'not_there', hint: expect.any(String) });
    });

    it('gives a text that occurs once, with lines around it where it must [editor.help.exact-text]', async () => {
      const file = 'alpha:\n\tvalue = 1\n\tother = 2\nbeta:\n\tvalue = 1\n\tother = 3\n';
      const path = stage.workspace.write('file.txt', file);
      const order = { old_string: '    value = 1\n    other = 3', new_string: 'x' };
      const { data } = await errorOf(stage.client, edit, { path, ...order });
      expect(file.split(String(data.old_string))).toHaveLength(2);
      expect(data).toMatchObject({ reason: 'tabs_vs_spaces', end_line: 6 });
    });

    it('speaks of the text that the earlier edits left [editor.help.staged]', async () => {
      const path = stage.workspace.write('file.txt', 'head\nsum = price * count\ntail\n');
      const edits = [
        { old_string: 'head', new_string: 'head\nneck\nsum = 0' },
        { old_string: 'sum = price * Count', new_string: 'x' },
      ];
      expect(await errorOf(stage.client, 'multi_edit_text_file', { path, edits })).toEqual({
        code: -32010,
        message: 'Edit 1: String not found: sum = price * Count',
        data: {
          kind: 'string_not_found',
          path,
          index: 1,
          reason: 'case',
          start_line: 4,
          end_line: 4,
          old_string: 'sum = price * count',
          hint: expect.any(String),
        },
      });
    });

    describe('an ambiguous match', () => {
      it('carries the line of every occurrence [editor.help.ambiguous]', async () => {
        const path = stage.workspace.write('file.txt', 'a x\nb\nx x\n\nend x');
        const { data } = await errorOf(stage.client, edit, { path, old_string: 'x', new_string: 'y' });
        expect(data).toEqual({ kind: 'string_not_unique', path, index: 0, count: 4, lines: [1, 3, 3, 5] });
      });

      it('counts all of very many, and lists the first hundred [editor.help.ambiguous, editor.help.size]', async () => {
        const path = stage.workspace.write('file.txt', 'same\n'.repeat(100_000));
        const { message, data } = await errorOf(stage.client, edit, { path, old_string: 'same', new_string: 'y' });
        expect([message, data]).toEqual([
          'String appears 100000 times (must be unique): same',
          {
            kind: 'string_not_unique',
            path,
            index: 0,
            count: 100_000,
            lines: Array.from({ length: 100 }, (_, at) => at + 1),
          },
        ]);
      });
    });

    const words = (count: number) => Array.from({ length: count }, (_, at) => `word${(at * 7919) % 1009}`).join(' ');
    it.each([
      ['one line of a megabyte', words(140_000), words(30).replace('word', 'wort')],
      ['a long old_string', words(20_000).replaceAll(' ', '\n'), `${words(20_000).replaceAll(' ', '\n')}!`],
      ['the same line over and over', 'the same line\n'.repeat(70_000), 'the same Line\nthe same line'],
      ['quotes, which double in JSON', '"\\"\t'.repeat(5_000), '"\\" '.repeat(1_500)],
      ['characters of two units', '😀 smile\n'.repeat(50_000), '😀 Smile\n'.repeat(600)],
      ['one character over and over', 'a'.repeat(1_000_000), `${'a'.repeat(50_000)}b`],
      ['a long place', TOTAL.repeat(1) + BASKET.repeat(200), BASKET.repeat(150).replaceAll('    ', '\t')],
      ['nothing but blanks', ' \n\t\n'.repeat(50_000), '\n\n\n\n    \n'],
    ])('answers in at most 4,000 characters: %s [editor.help.size]', async (_, file, old_string) => {
      const path = stage.workspace.write('file.txt', file);
      const { content, isError } = await stage.client.result(edit, { path, old_string, new_string: 'x' });
      const [answer = { text: '' }] = content;
      expect(isError).toBe(true);
      expect(answer.text.length).toBeLessThanOrEqual(MAX_ANSWER_CHARACTERS);
      const { data } = JSON.parse(answer.text).error as { data: { old_string?: string } };
      if (data.old_string !== undefined) expect(file.split(data.old_string)).toHaveLength(2);
    });
  },
  ONE_WAY,
);
