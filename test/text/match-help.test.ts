import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainMismatch, type MatchHelp, type MatchReason } from '../../src/text/match-help/explain-mismatch.js';

const MAX_HELP_CHARS = 4000;

const GO = 'package main\n\nfunc main() {\n\tif ready {\n\t\tstart()\n\t}\n}\n';
const TS = "export function greet(name: string) {\n  const text = 'Hello ' + name;\n  return text;\n}\n";

describe('a known mistake is undone and named', () => {
  const cases: [MatchReason, string, string, string][] = [
    ['tabs_vs_spaces', GO, '    if ready {\n        start()', '\tif ready {\n\t\tstart()'],
    ['indentation', TS, "    const text = 'Hello ' + name;", "  const text = 'Hello ' + name;"],
    ['trailing_whitespace', TS, '  return text;  \n}', '  return text;\n}'],
    ['blank_lines', TS, "'Hello ' + name;\n\n  return text;", "'Hello ' + name;\n  return text;"],
    ['line_endings', TS, '  return text;\r\n}', '  return text;\n}'],
    ['quotes', TS, 'const text = "Hello " + name;', "const text = 'Hello ' + name;"],
    ['quotes', 'one – two\n', 'one - two', 'one – two'],
    ['invisible_characters', TS, 'return\u00a0text;', 'return text;'],
    ['invisible_characters', 'be\u200bfore\n', 'before', 'be\u200bfore'],
    ['unicode_form', 'un cafe\u0301 noir\n', 'un caf\u00e9 noir', 'un cafe\u0301 noir'],
    ['escaped', TS, '  return text;\\n}', '  return text;\n}'],
    ['escaped', 'say("hi")\n', 'say(\\"hi\\")', 'say("hi")'],
    ['html_entities', 'if (a < b && c) go();\n', 'if (a &lt; b &amp;&amp; c) go();', 'if (a < b && c) go();'],
    [
      'line_numbers',
      TS,
      "     2\t  const text = 'Hello ' + name;\n     3\t  return text;",
      "  const text = 'Hello ' + name;\n  return text;",
    ],
    ['line_numbers', TS, '```ts\n  return text;\n}\n```', '  return text;\n}'],
    ['line_numbers', TS, '-  return text;\n+  return text.trim();', '  return text;'],
    ['case', TS, 'Export Function greet(name: string) {', 'export function greet(name: string) {'],
    ['elided', TS, 'export function greet(name: string) {\n  // ...\n  return text;', TS.slice(0, TS.indexOf('\n}'))],
  ];
  it.each(cases)('%s', (reason, content, wanted, found) => {
    const help = explainMismatch(content, wanted, 'something else');
    expect({ reason: help.reason, old_string: help.old_string }).toEqual({ reason, old_string: found });
  });
});

describe('the answer suffices for the next try', () => {
  it('is small, and has exactly these parts', () => {
    expect(explainMismatch(GO, '    if ready {', '    if steady {')).toEqual({
      reason: 'tabs_vs_spaces',
      start_line: 4,
      end_line: 4,
      old_string: '\tif ready {',
      hint: 'Tabs and spaces differ. Send old_string as given here.',
    });
  });

  it('names two mistakes at once', () => {
    const help = explainMismatch(GO, '    if ready {  \n        start()', undefined);
    expect(help.hint).toBe('Tabs and spaces differ; blanks at the end of lines differ. Send old_string as given here.');
  });

  it('grows the text by neighbouring lines until it occurs once', () => {
    const content = 'a {\n\tstop()\n}\nb {\n\tstop()\n\tgo()\n}\n';
    const help = explainMismatch(content, '    stop()\n    go()', undefined);
    expect(help.old_string).toBe('\tstop()\n\tgo()');
    const twice = explainMismatch(content, 'b {\n    stop()', undefined);
    expect(twice.old_string).toBe('b {\n\tstop()');
  });

  it('claims neither of two places that the corrected text fits, and names both', () => {
    const content = 'a {\n\tstop()\n}\nb {\n\tstop()\n}\n';
    const help = explainMismatch(content, '    stop()', undefined);
    expect(help).toEqual({
      reason: 'tabs_vs_spaces',
      hint: 'Tabs and spaces differ, and it fits two places. Send the exact text of the one you mean.',
      also: [
        { start_line: 1, end_line: 2, old_string: 'a {\n\tstop()' },
        { start_line: 4, end_line: 5, old_string: 'b {\n\tstop()' },
      ],
    });
  });

  it('decides between like blocks by the one identifier that tells', () => {
    const block = (name: string) => `test('${name}', () => {\n  const it = make();\n  expect(it.ok).toBe(true);\n});\n`;
    const content = ['first', 'second', 'third', 'fourth'].map(block).join('\n');
    const help = explainMismatch(content, block('third').replace('toBe(true)', 'toBeTruthy()').trimEnd(), 'x');
    expect([help.reason, help.old_string]).toEqual(['similar', block('third').trimEnd()]);
  });

  it('gives the part that matters of a very long line', () => {
    const filler = Array.from({ length: 400 }, (_, index) => `f${index}(${index});`).join('');
    const help = explainMismatch(
      `${filler}start({retries:3,wait:9});${filler}`,
      'start({retries:3,wait:8});',
      'start({});',
    );
    expect(help.old_string).toContain('retries:3,wait:9');
    expect(JSON.stringify(help).length).toBeLessThan(400);
  });

  it('gives only the changed lines of a very long place', () => {
    const lines = Array.from({ length: 300 }, (_, index) => `\tcall${index}(argument, ${index});`);
    const wanted = lines.join('\n').replaceAll('\t', '    ');
    const help = explainMismatch(
      `{\n${lines.join('\n')}\n}\n`,
      wanted,
      wanted.replace('call150(argument', 'call150(changed'),
    );
    expect([help.reason, help.old_string]).toEqual(['tabs_vs_spaces', '\tcall150(argument, 150);']);
    expect(help.hint).toContain('lines 2-301');
  });

  it('quotes the whole text when only one edit of it makes sense', () => {
    const help = explainMismatch(TS, TS.replaceAll('  ', '\t'), '');
    expect(help.old_string).toBe(TS);
  });
});

describe('what is not there is not claimed', () => {
  it('recognises an edit that was made before', () => {
    const help = explainMismatch(TS, "  const text = 'Hi ' + name;", "  const text = 'Hello ' + name;");
    expect([help.reason, help.start_line, help.old_string]).toEqual(['already_applied', 2, undefined]);
  });

  it('does not take a short replacement for an edit made before', () => {
    expect(explainMismatch(TS, 'zebra crossing ahead', '}').reason).toBe('not_there');
  });

  it('answers not_there when nothing is near', () => {
    const help = explainMismatch(TS, 'SELECT owner FROM garages WHERE door = 4', 'SELECT 1');
    expect(help).toEqual({
      reason: 'not_there',
      hint: 'Nothing in the file is near to old_string. Read the file again.',
    });
  });

  it('claims none of several like blocks when the word that would tell is missing', () => {
    const block = (name: string) => `on('${name}', (event) => {\n  log.info('${name}', event.time);\n});\n`;
    const help = explainMismatch(['open', 'shut', 'lock'].map(block).join('\n'), block('paint'), block('paint2'));
    expect([help.reason, help.old_string]).toEqual(['not_there', undefined]);
    expect(help.hint).toContain('paint');
  });

  it.each(['', ' ', '\n\n', '\u200b', '\\'])('answers a text of nothing but blanks: %j', (wanted) => {
    expect(explainMismatch(TS, wanted, 'x').reason).toBe('not_there');
  });

  it('answers for an empty file', () => {
    expect(explainMismatch('', 'anything', 'else').reason).toBe('not_there');
  });
});

describe('whatever the input', () => {
  const word = fc.constantFrom(
    'alpha',
    'beta',
    'gamma',
    'delta',
    'x1',
    'if',
    '(',
    ')',
    '{',
    '}',
    ';',
    "'",
    '"',
    '…',
    '-',
    '\t',
    '  ',
    'é',
    'e\u0301',
    '&lt;',
    '<',
    '\\n',
    '日本',
  );
  const line = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
  const eol = fc.constantFrom('\n', '\n', '\r\n');
  const repetitive = fc.tuple(fc.array(line, { maxLength: 30 }), eol).map(([lines, end]) => lines.join(end));
  const wild = fc.string({ unit: 'binary', maxLength: 200 });

  it('a given old_string occurs exactly once, on the given lines, and the answer is bounded', () => {
    const texts = fc.oneof(repetitive, wild);
    fc.assert(fc.property(texts, fc.oneof(line, repetitive, wild), fc.option(texts, { nil: undefined }), checkHelp), {
      numRuns: 1500,
    });
  });

  it('the same holds when the wanted text is a damaged piece of the file', () => {
    const damage = fc.constantFrom<(text: string) => string>(
      (text) => text.replaceAll('  ', '\t'),
      (text) => text.replaceAll('\n', '\n\n'),
      (text) => text.replaceAll(' ', '\u00a0'),
      (text) => text.toUpperCase(),
      (text) => text.replace('alpha', 'omega'),
      (text) => JSON.stringify(text),
      (text) => `1: ${text.replaceAll('\n', '\n2: ')}`,
      (text) => text.split('\n').toSpliced(1, 1, '...').join('\n'),
      (text) => text.slice(1, -1),
    );
    fc.assert(
      fc.property(repetitive, fc.nat(), fc.nat(400), damage, (content, from, length, harm) => {
        const start = content.length === 0 ? 0 : from % content.length;
        checkHelp(content, harm(content.slice(start, start + length)), undefined);
      }),
      { numRuns: 1500 },
    );
  });

  it('an answer stays below the limit even when every character needs an escape', () => {
    const content = Array.from({ length: 400 }, (_, index) => `\u0001\u0002\u0003"\\ key${index}\u0004`).join('\n');
    checkHelp(content, content.slice(0, 4000).replaceAll('key', 'kex'), content.slice(0, 4000));
    checkHelp(content, content.slice(0, 4000).replaceAll(' ', '  '), undefined);
  });
});

describe('bounded work', () => {
  const MB = 1_000_000;
  const code = Array.from({ length: 40_000 }, (_, index) => `  const v${index % 977} = call(${index});\n`).join('');
  const inputs: [string, string, string][] = [
    ['one letter, ten million times', 'a'.repeat(10 * MB), `${'a'.repeat(500)}b`],
    ['one letter, a long text of it', 'a'.repeat(10 * MB), 'a '.repeat(400_000)],
    ['a million equal lines', 'same line\n'.repeat(MB), '\tsame line\n\tsame line'],
    ['ten million line breaks', '\n'.repeat(10 * MB), 'a\nb'],
    ['ampersands', '&'.repeat(10 * MB), '& &'],
    ['a long text that is nowhere', code, 'lorem ipsum\n'.repeat(80_000)],
    ['a long text with one other letter', code, code.slice(0, MB).replace('v500', 'w500')],
    ['all on one line', code.replaceAll('\n', ''), 'const v7 = call(7) || 0;'],
    ['gaps only', code, '// ...\n'.repeat(100_000)],
  ];
  // Quadratic work on inputs of this size would take hours, and run into the limit of the test.
  it.each(inputs)('%s', (_, content, wanted) => {
    expect(explainMismatch(content, wanted, 'replacement text')).toHaveProperty('reason');
  });
});

function checkHelp(content: string, wanted: string, replacement: string | undefined): void {
  if (content.includes(wanted)) return;
  const help = explainMismatch(content, wanted, replacement);
  expect(JSON.stringify(help).length).toBeLessThanOrEqual(MAX_HELP_CHARS);
  for (const place of [help, ...(help.also ?? [])]) checkPlace(content, place);
}

function checkPlace(content: string, { old_string, start_line, end_line }: Partial<MatchHelp>): void {
  if (old_string === undefined) return;
  expect(occurrences(content, old_string)).toBe(1);
  const first = content.slice(0, content.indexOf(old_string)).split('\n').length;
  expect(start_line).toBe(first);
  expect(end_line).toBe(first + old_string.replace(/\n$/, '').split('\n').length - 1);
}

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count++;
  return count;
}
