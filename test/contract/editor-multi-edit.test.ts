import { mkdirSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eachWay } from '../harness/each-way';
import { answerOf, errorOf, ONE_WAY } from './editor-answers';

const multi = 'multi_edit_text_file';
const CONFIG = '[server]\nhost = "localhost"\nport = 8080\n\n[app]\ndebug = false\n';
const CONFIG_EDITS = [
  { old_string: 'port = 8080', new_string: 'port = 3000' },
  { old_string: 'host = "localhost"', new_string: 'host = "0.0.0.0"' },
  { old_string: 'debug = false', new_string: 'debug = true' },
];
/** `edits('a>b', 'c>d')`: a becomes b, then c becomes d. */
const edits = (...orders: string[]) =>
  orders.map((order) => {
    const [old_string, new_string] = order.split('>');
    return { old_string, new_string };
  });

eachWay('multi_edit_text_file', {}, (stage) => {
  it('is listed as its contract prints it [editor.multi.metadata]', async () => {
    const tool = (await stage.client.tools()).find(({ name }) => name === multi);
    expect({ description: tool?.description, inputSchema: tool?.inputSchema }).toEqual({
      description: 'Apply multiple string replacement edits to a file with cumulative diff',
      inputSchema: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Absolute path to the file' },
          edits: {
            type: 'array',
            description: 'Array of edit operations to apply sequentially',
            items: {
              type: 'object',
              properties: {
                old_string: { type: 'string', description: 'Exact string to find and replace' },
                new_string: { type: 'string', description: 'Replacement string' },
              },
              required: ['old_string', 'new_string'],
            },
          },
        },
        required: ['path', 'edits'],
      },
    });
  });

  it('makes several edits in one file [editor.multi.TC1, editor.multi.example, editor.multi.line-ranges]', async () => {
    const path = stage.workspace.write('config.toml', CONFIG);
    expect(await answerOf(stage.client, multi, { path, edits: CONFIG_EDITS })).toEqual({
      success: true,
      diff: [
        '--- config.toml',
        '+++ config.toml',
        '@@ -1,6 +1,6 @@',
        ' [server]',
        '-host = "localhost"',
        '+host = "0.0.0.0"',
        '-port = 8080',
        '+port = 3000',
        ' ',
        ' [app]',
        '-debug = false',
        '+debug = true',
        '',
      ].join('\n'),
      applied_count: 3,
      line_ranges: [
        { edit_index: 0, start: 3, end: 3 },
        { edit_index: 1, start: 2, end: 2 },
        { edit_index: 2, start: 6, end: 6 },
      ],
    });
    expect(stage.workspace.read('config.toml')).toBe(
      '[server]\nhost = "0.0.0.0"\nport = 3000\n\n[app]\ndebug = true\n',
    );
  });

  it('applies each edit to what the one before it left [editor.multi.TC2, editor.diff.no-newline]', async () => {
    const path = stage.workspace.write('file.txt', 'AAA');
    expect(await answerOf(stage.client, multi, { path, edits: edits('AAA>BBB', 'BBB>CCC') })).toEqual({
      success: true,
      diff: [
        '--- file.txt',
        '+++ file.txt',
        '@@ -1,1 +1,1 @@',
        '-AAA',
        '\\ No newline at end of file',
        '+CCC',
        '\\ No newline at end of file',
        '',
      ].join('\n'),
      applied_count: 2,
      line_ranges: [
        { edit_index: 0, start: 1, end: 1 },
        { edit_index: 1, start: 1, end: 1 },
      ],
    });
    expect(stage.workspace.read('file.txt')).toBe('CCC');
  });

  it('names the edit that does not find its string, and applies none [editor.multi.TC3, editor.multi.error.string-not-found, editor.multi.all-or-none]', async () => {
    const path = stage.workspace.write('file.txt', 'line 1\nline 2\n');
    expect(await errorOf(stage.client, multi, { path, edits: edits('line 1>LINE 1', 'line 3>LINE 3') })).toEqual({
      code: -32010,
      message: 'Edit 1: String not found: line 3',
      data: expect.objectContaining({ kind: 'string_not_found', path, index: 1, reason: expect.any(String) }),
    });
    expect(stage.workspace.read('file.txt')).toBe('line 1\nline 2\n');
  });

  it('refuses an empty array [editor.multi.TC4, editor.multi.error.empty-edits]', async () => {
    const path = stage.workspace.write('file.txt', 'text\n');
    expect(await errorOf(stage.client, multi, { path, edits: [] })).toEqual({
      code: -32600,
      message: 'Edits array cannot be empty',
      data: { kind: 'no_edits', parameter: 'edits' },
    });
  });

  it('does not find the same string twice [editor.multi.TC5, editor.multi.conflict.same-string]', async () => {
    const path = stage.workspace.write('file.txt', 'foo');
    expect(await errorOf(stage.client, multi, { path, edits: edits('foo>bar', 'foo>baz') })).toEqual({
      code: -32010,
      message: 'Edit 1: String not found: foo',
      data: expect.objectContaining({ kind: 'string_not_found', path, index: 1, reason: expect.any(String) }),
    });
    expect(stage.workspace.read('file.txt')).toBe('foo');
  });

  it('applies a hundred edits [editor.multi.TC6]', async () => {
    const numbers = Array.from({ length: 100 }, (_, at) => at);
    const path = stage.workspace.write('hundred.txt', numbers.map((at) => `unique string <${at}>\n`).join(''));
    const hundred = numbers.map((at) => ({ old_string: `<${at}>`, new_string: `changed [${at}]` }));
    expect(await answerOf(stage.client, multi, { path, edits: hundred })).toEqual({
      success: true,
      diff: [
        '--- hundred.txt\n+++ hundred.txt\n@@ -1,100 +1,100 @@\n',
        ...numbers.map((at) => `-unique string <${at}>\n+unique string changed [${at}]\n`),
      ].join(''),
      applied_count: 100,
      line_ranges: numbers.map((at) => ({ edit_index: at, start: at + 1, end: at + 1 })),
    });
    expect(stage.workspace.read('hundred.txt')).toBe(numbers.map((at) => `unique string changed [${at}]\n`).join(''));
  });

  it('refuses a string that an earlier edit made ambiguous [editor.multi.TC7, editor.multi.error.multiple-matches]', async () => {
    const path = stage.workspace.write('file.txt', 'A');
    expect(await errorOf(stage.client, multi, { path, edits: edits('A>AA', 'A>B') })).toEqual({
      code: -32011,
      message: 'Edit 1: String appears 2 times: A',
      data: { kind: 'string_not_unique', path, index: 1, count: 2, lines: [1, 1] },
    });
    expect(stage.workspace.read('file.txt')).toBe('A');
  });

  it('says the example error [editor.multi.example.error]', async () => {
    const path = stage.workspace.write('config.toml', '[server]\nport = 8080\n');
    expect(await errorOf(stage.client, multi, { path, edits: CONFIG_EDITS })).toEqual({
      code: -32010,
      message: 'Edit 1: String not found: host = "localhost"',
      data: expect.objectContaining({ kind: 'string_not_found', path, index: 1, reason: expect.any(String) }),
    });
  });

  it('names the earlier edit that took part of the string [editor.multi.error.conflict, editor.multi.conflict]', async () => {
    const path = stage.workspace.write('file.txt', 'alpha beta gamma\n');
    expect(await errorOf(stage.client, multi, { path, edits: edits('beta>BETA', 'alpha beta>x') })).toEqual({
      code: -32012,
      message: 'Edit 1 conflicts with edit 0',
      data: { kind: 'edit_conflict', path, index: 1, prior_index: 0 },
    });
    expect(stage.workspace.read('file.txt')).toBe('alpha beta gamma\n');
  });

  it('says that the file is not there [editor.multi.error.file-not-found]', async () => {
    const path = stage.workspace.path('missing.txt');
    expect(await errorOf(stage.client, multi, { path, edits: edits('a>b') })).toEqual({
      code: -32001,
      message: `File not found: ${path}`,
      data: { kind: 'file_not_found', path },
    });
  });

  it('refuses a relative path [editor.multi.error.invalid-path]', async () => {
    expect(await errorOf(stage.client, multi, { path: 'file.txt', edits: edits('a>b') })).toEqual({
      code: -32600,
      message: 'Path must be absolute: file.txt',
      data: { kind: 'path_not_absolute', parameter: 'path', path: 'file.txt' },
    });
  });

  it('refuses a binary file [editor.multi.error.binary]', async () => {
    const path = stage.workspace.write('data.bin', Buffer.from([0x61, 0xff]));
    expect(await errorOf(stage.client, multi, { path, edits: edits('a>b') })).toEqual({
      code: -32004,
      message: `Cannot edit binary file: ${path}`,
      data: { kind: 'not_text', path, reason: 'binary', problem: 'invalid utf8' },
    });
  });

  it('refuses a directory [editor.multi.error.not-a-file, editor.family.directory]', async () => {
    const path = stage.workspace.path('folder');
    mkdirSync(path, { recursive: true });
    expect(await errorOf(stage.client, multi, { path, edits: edits('a>b') })).toEqual({
      code: -32003,
      message: `${path} is not a file`,
      data: { kind: 'not_a_file', path, found: 'a directory' },
    });
  });

  it('refuses an empty old_string and names the edit [editor.multi.empty]', async () => {
    const path = stage.workspace.write('file.txt', 'text\n');
    expect(await errorOf(stage.client, multi, { path, edits: edits('text>x', '>y') })).toEqual({
      code: -32600,
      message: 'Edit 1: old_string cannot be empty',
      data: { kind: 'empty_edit', parameter: 'edits[1].old_string', index: 1 },
    });
    expect(stage.workspace.read('file.txt')).toBe('text\n');
  });

  it('refuses to replace a string by itself and names the edit [editor.multi.identical]', async () => {
    const path = stage.workspace.write('file.txt', 'text\n');
    expect(await errorOf(stage.client, multi, { path, edits: edits('text>x', 'x>x') })).toEqual({
      code: -32600,
      message: 'Edit 1: old_string and new_string are identical',
      data: { kind: 'identical_edit', parameter: 'edits[1]', index: 1 },
    });
    expect(stage.workspace.read('file.txt')).toBe('text\n');
  });

  it('leaves the file alone when nothing has changed in the end [editor.multi.no-net-change]', async () => {
    const path = stage.workspace.write('file.txt', 'one\ntwo\n');
    const before = statSync(path, { bigint: true });
    expect(await answerOf(stage.client, multi, { path, edits: edits('two>2', '2>two') })).toEqual({
      success: true,
      diff: '',
      applied_count: 2,
      line_ranges: [
        { edit_index: 0, start: 2, end: 2 },
        { edit_index: 1, start: 2, end: 2 },
      ],
    });
    const after = statSync(path, { bigint: true });
    expect([after.ino, after.mtimeNs, after.ctimeNs]).toEqual([before.ino, before.mtimeNs, before.ctimeNs]);
  });

  it('also when one edit adds what another takes away elsewhere [editor.multi.no-net-change]', async () => {
    const path = stage.workspace.write('file.txt', `S${'ab'.repeat(6)}E\n`);
    const before = statSync(path, { bigint: true });
    expect(await answerOf(stage.client, multi, { path, edits: edits('abE>E', 'Sa>Saba') })).toMatchObject({ diff: '' });
    expect(statSync(path, { bigint: true }).ino).toBe(before.ino);
  });

  it('leaves all other bytes as they were, whatever the characters [editor.match.untouched-bytes]', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `Zeile ${at}: Grüße € 😀\r\n`);
    const path = stage.workspace.write('file.txt', `\uFEFF${lines.join('')}`);
    const orders = lines.map((_, at) => ({ old_string: `Zeile ${at}: G`, new_string: `${at} 👋 ` }));
    await answerOf(stage.client, multi, { path, edits: orders.slice(0, 3) });
    await answerOf(stage.client, multi, { path, edits: orders.slice(3) });
    const expected = lines.map((_, at) => `${at} 👋 rüße € 😀\r\n`).join('');
    expect(stage.workspace.bytes('file.txt')).toEqual(Buffer.from(`\uFEFF${expected}`));
  });
});

eachWay(
  'multi_edit_text_file, staged text',
  {},
  (stage) => {
    const run = async (before: string, ...orders: string[]) => {
      const path = stage.workspace.write('staged.txt', before);
      const answer = await answerOf(stage.client, multi, { path, edits: edits(...orders) });
      return { ...(answer as { line_ranges: object[] }), after: stage.workspace.read('staged.txt') };
    };
    const fail = async (before: string, ...orders: string[]) => {
      const path = stage.workspace.write('staged.txt', before);
      const { code, message } = await errorOf(stage.client, multi, { path, edits: edits(...orders) });
      expect(stage.workspace.read('staged.txt')).toBe(before);
      return { code, message };
    };

    it('tells lines as they were just before each edit [editor.multi.line-ranges]', async () => {
      const { line_ranges, after } = await run('a\nb\nc\n', 'a>a1\na2\na3', 'c>C', 'a2\na3\nb>x', 'C>c');
      expect([line_ranges, after]).toEqual([
        [
          { edit_index: 0, start: 1, end: 1 },
          { edit_index: 1, start: 5, end: 5 },
          { edit_index: 2, start: 2, end: 4 },
          { edit_index: 3, start: 3, end: 3 },
        ],
        'a1\nx\nc\n',
      ]);
    });

    it('counts occurrences with overlaps [editor.multi.overlaps]', async () => {
      expect(await fail('aaa', 'aa>b')).toEqual({ code: -32011, message: 'Edit 0: String appears 2 times: aa' });
    });

    it.each([
      ['the whole of it', 'one two three', ['two>2', 'two three>x'], 1, 0],
      ['a text that was taken out and put elsewhere', 'one two', ['two>2', 'one>1', 'one two>x'], 2, 0],
      ['the second of two edits', 'one two three', ['one>1', 'three>3', 'two three>x'], 2, 1],
      ['something put between its parts', 'one two', ['one >one and ', 'one two>x'], 1, 0],
      ['a line end', 'one\ntwo\n', ['one\n>one ', 'one\ntwo>x'], 1, 0],
      ['a text with \\r\\n line ends', 'one\r\ntwo\r\n', ['two>2', 'one\ntwo>x'], 1, 0],
    ])(
      'is a conflict when an earlier edit changed %s [editor.multi.conflict]',
      async (_, before, orders, index, prior) => {
        expect(await fail(before, ...orders)).toEqual({
          code: -32012,
          message: `Edit ${index} conflicts with edit ${prior}`,
        });
      },
    );

    it('names the first of several edits that changed it [editor.multi.conflict.first]', async () => {
      expect(await fail('one two three', 'two>2', 'three>3', 'one 2>1', 'two three>x')).toEqual({
        code: -32012,
        message: 'Edit 3 conflicts with edit 0',
      });
    });

    it('passes over an edit with the same string when it names the culprit [editor.multi.conflict.first, editor.multi.conflict.same-string]', async () => {
      expect(await fail('foo bar', 'bar>foo', 'foo foo>x', 'foo>y')).toEqual({
        code: -32012,
        message: 'Edit 2 conflicts with edit 1',
      });
    });

    it('is no conflict when the string never was in the original [editor.multi.conflict, editor.multi.error.string-not-found]', async () => {
      expect(await fail('one two', 'two>2', 'one 3>x')).toEqual({
        code: -32010,
        message: 'Edit 1: String not found: one 3',
      });
    });

    it('finds a string that only an earlier edit made [editor.multi.TC2]', async () => {
      const { line_ranges, after } = await run('ad\n', 'a>ab', 'd>cd', 'bc>-');
      expect([line_ranges.length, after]).toEqual([3, 'a-d\n']);
    });

    it('reads \\n as \\r\\n in text that earlier edits left [editor.match.crlf, editor.match.crlf-replacement]', async () => {
      const { after } = await run('a\r\nb\r\nc\r\n', 'a\nb>x\ny', 'y\nc>z\nw');
      expect(after).toBe('x\r\nz\r\nw\r\n');
    });

    it('cuts a long old_string in its message [editor.match.message-cut]', async () => {
      const long = 'z'.repeat(201);
      expect(await fail('text', `${long}>x`)).toEqual({
        code: -32010,
        message: `Edit 0: String not found: ${'z'.repeat(199)}…`,
      });
    });

    it('edits a file of one megabyte in a hundred places [editor.multi.TC6]', async () => {
      const lines = (word: (at: number) => string) =>
        Array.from({ length: 10_500 }, (_, at) => `${word(at)} ${at} ${'.'.repeat(90)}\n`).join('');
      const places = Array.from({ length: 100 }, (_, at) => at * 105);
      const { after } = await run(
        lines(() => 'line'),
        ...places.map((at) => `line ${at} >LINE ${at} `),
      );
      expect(after === lines((at) => (at % 105 === 0 ? 'LINE' : 'line'))).toBe(true);
    });
  },
  ONE_WAY,
);
