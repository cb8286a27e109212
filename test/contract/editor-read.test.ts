import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eachWay } from '../harness/each-way';
import { answerOf, errorOf, ONE_WAY } from './editor-answers';

const read = 'read_text_file';
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${from + at}\n`).join('');

eachWay('read_text_file', {}, (stage) => {
  it('is listed as its contract prints it, without an output schema [editor.read.metadata, editor.read.sent-once]', async () => {
    const tool = (await stage.client.tools()).find(({ name }) => name === read);
    expect({ description: tool?.description, inputSchema: tool?.inputSchema, output: tool?.outputSchema }).toEqual({
      description: 'Read complete or partial content of a text file with optional pagination',
      inputSchema: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Absolute path to the file' },
          line: {
            type: 'integer',
            minimum: 1,
            description: 'Starting line number (1-indexed). If omitted, read from line 1',
          },
          limit: {
            type: 'integer',
            minimum: 1,
            description: 'Maximum number of lines to return. If omitted, return all remaining lines',
          },
        },
        required: ['path'],
      },
      output: undefined,
    });
  });

  it('reads an entire file [editor.read.TC1, editor.read.sent-once]', async () => {
    const path = stage.workspace.write('hello.txt', 'Hello\nWorld\n');
    expect(await answerOf(stage.client, read, { path })).toEqual({
      content: 'Hello\nWorld\n',
      _meta: { total_lines: 2, returned_lines: 2, has_more: false },
    });
  });

  it('reads a file of three lines whole [editor.read.example.whole]', async () => {
    const path = stage.workspace.write('file.txt', 'line 1\nline 2\nline 3\n');
    expect(await answerOf(stage.client, read, { path })).toEqual({
      content: 'line 1\nline 2\nline 3\n',
      _meta: { total_lines: 3, returned_lines: 3, has_more: false },
    });
  });

  it('reads with pagination [editor.read.TC2]', async () => {
    const path = stage.workspace.write('numbers.txt', numbers(1, 100));
    expect(await answerOf(stage.client, read, { path, line: 10, limit: 5 })).toEqual({
      content: '10\n11\n12\n13\n14\n',
      _meta: { total_lines: 100, returned_lines: 5, has_more: true, next_line: 15 },
    });
  });

  it('reads from a line onwards [editor.read.example.from-line]', async () => {
    const path = stage.workspace.write('numbers.txt', numbers(1, 100));
    expect(await answerOf(stage.client, read, { path, line: 10 })).toEqual({
      content: numbers(10, 100),
      _meta: { total_lines: 100, returned_lines: 91, has_more: false },
    });
  });

  it('reads ten lines from line 10 [editor.read.example.window]', async () => {
    const path = stage.workspace.write('numbers.txt', numbers(1, 100));
    expect(await answerOf(stage.client, read, { path, line: 10, limit: 10 })).toEqual({
      content: numbers(10, 19),
      _meta: { total_lines: 100, returned_lines: 10, has_more: true, next_line: 20 },
    });
  });

  it('reads windows of a large file exactly [editor.read.exact-text, editor.read.total-lines, editor.read.past-end]', async () => {
    const lines = Array.from({ length: 40_000 }, (_, at) => `${at + 1} ${'é'.repeat(at % 60)}\r\n`);
    const path = stage.workspace.write('large.txt', `${lines.join('')}the end`);
    for (const [line, limit] of [
      [1, 2],
      [20_000, 3],
      [39_999, 9],
      [40_002, 1],
    ] as const) {
      const content = [...lines, 'the end'].slice(line - 1, line - 1 + limit).join('');
      const answer = await answerOf(stage.client, read, { path, line, limit });
      expect(answer).toMatchObject({ content, _meta: { total_lines: 40_001 } });
    }
  });

  it('reads all of a very large file, in every encoding [editor.read.exact-text, editor.read.total-lines, editor.binary.utf16]', async () => {
    const text = `\ufeff${'größe = "漢字"; // 😀\\n\n'.repeat(180_000)}the end`;
    const files = [
      stage.workspace.write('utf-8.txt', text),
      stage.workspace.write('utf-16le.txt', Buffer.from(text, 'utf16le')),
      stage.workspace.write('utf-16be.txt', Buffer.from(text, 'utf16le').swap16()),
    ];
    for (const path of files) {
      const { content, _meta } = (await answerOf(stage.client, read, { path })) as { content: string; _meta: object };
      expect([content === text, _meta]).toEqual([
        true,
        { total_lines: 180_001, returned_lines: 180_001, has_more: false },
      ]);
      const rest = (await answerOf(stage.client, read, { path, line: 2 })) as { content: string };
      expect(rest.content === text.slice(text.indexOf('\n') + 1)).toBe(true);
    }
  });

  it('refuses a large file for its last byte [editor.binary.nul, editor.binary.not-utf8]', async () => {
    for (const byte of [0x00, 0xff]) {
      const bytes = Buffer.concat([Buffer.alloc(600_000, 'a line\n'), Buffer.from([byte])]);
      const path = stage.workspace.write('late.bin', bytes);
      expect(await errorOf(stage.client, read, { path, line: 1, limit: 1 })).toMatchObject({ code: -32004 });
    }
  });

  it('reads an empty file [editor.read.TC6]', async () => {
    const path = stage.workspace.write('empty.txt', '');
    expect(await answerOf(stage.client, read, { path })).toEqual({
      content: '',
      _meta: { total_lines: 0, returned_lines: 0, has_more: false },
    });
  });

  it('says that a file is not there [editor.read.TC3, editor.read.error.file-not-found]', async () => {
    const path = stage.workspace.path('missing.txt');
    expect(await errorOf(stage.client, read, { path })).toEqual({
      code: -32001,
      message: `File not found: ${path}`,
      data: { kind: 'file_not_found', path },
    });
  });

  it('refuses a relative path [editor.read.TC4, editor.read.error.invalid-path]', async () => {
    expect(await errorOf(stage.client, read, { path: 'relative/path.txt' })).toEqual({
      code: -32600,
      message: 'Path must be absolute: relative/path.txt',
      data: { kind: 'path_not_absolute', parameter: 'path', path: 'relative/path.txt' },
    });
  });

  it('refuses a binary file and says why [editor.read.TC5, editor.read.error.binary, editor.binary.nul, editor.binary.reason]', async () => {
    const path = stage.workspace.write('image.png', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'));
    expect(await errorOf(stage.client, read, { path })).toEqual({
      code: -32004,
      message: `Cannot read binary file: ${path}`,
      data: { kind: 'not_text', path, reason: 'binary', problem: 'nul byte' },
    });
  });

  it('refuses a directory [editor.read.error.not-a-file]', async () => {
    const path = stage.workspace.path('folder');
    mkdirSync(path, { recursive: true });
    expect(await errorOf(stage.client, read, { path })).toEqual({
      code: -32003,
      message: `${path} is not a file`,
      data: { kind: 'not_a_file', path, found: 'a directory' },
    });
  });

  it.each([0, -1, -7])('refuses line %i [editor.read.error.invalid-line]', async (line) => {
    const path = stage.workspace.write('hello.txt', 'Hello\n');
    expect(await errorOf(stage.client, read, { path, line })).toEqual({
      code: -32600,
      message: `Line number must be >= 1: ${line}`,
      data: { kind: 'line_below_one', parameter: 'line', line },
    });
  });

  it.each([0, -1, -7])('refuses limit %i [editor.read.error.invalid-limit]', async (limit) => {
    const path = stage.workspace.write('hello.txt', 'Hello\n');
    expect(await errorOf(stage.client, read, { path, limit })).toEqual({
      code: -32600,
      message: `Limit must be >= 1: ${limit}`,
      data: { kind: 'limit_below_one', parameter: 'limit', limit },
    });
  });
});

eachWay(
  'read_text_file, lines and encodings',
  {},
  (stage) => {
    const readBack = (content: string | Uint8Array, window: object = {}) =>
      answerOf(stage.client, read, { path: stage.workspace.write('text.txt', content), ...window });

    describe('lines', () => {
      it('keeps \\r\\n, and takes a lone \\r for no line end [editor.read.line-ends]', async () => {
        expect(await readBack('a\r\nb\rc\nd\r\n', { limit: 2 })).toEqual({
          content: 'a\r\nb\rc\n',
          _meta: { total_lines: 3, returned_lines: 2, has_more: true, next_line: 3 },
        });
      });

      it('keeps other separators inside the line [editor.read.line-ends]', async () => {
        expect(await readBack('a\u2028b\u0085c\fd\ve\n')).toEqual({
          content: 'a\u2028b\u0085c\fd\ve\n',
          _meta: { total_lines: 1, returned_lines: 1, has_more: false },
        });
      });

      it('leaves a last line without terminator as it is [editor.read.exact-text, editor.read.total-lines]', async () => {
        expect(await readBack('a\nb', { line: 2, limit: 1 })).toEqual({
          content: 'b',
          _meta: { total_lines: 2, returned_lines: 1, has_more: false },
        });
      });

      it('counts blank lines [editor.read.total-lines]', async () => {
        expect(await readBack('\n\n\n', { line: 2, limit: 1 })).toEqual({
          content: '\n',
          _meta: { total_lines: 3, returned_lines: 1, has_more: true, next_line: 3 },
        });
      });

      it('counts every line, whatever the window [editor.read.total-lines]', async () => {
        expect(await readBack(numbers(1, 2500), { line: 2400, limit: 1 })).toEqual({
          content: '2400\n',
          _meta: { total_lines: 2500, returned_lines: 1, has_more: true, next_line: 2401 },
        });
      });

      it.each([3, 4, 1_000_000, Number.MAX_SAFE_INTEGER])(
        'gives nothing from line %i of two on [editor.read.past-end]',
        async (line) => {
          expect(await readBack('a\nb\n', { line, limit: 5 })).toEqual({
            content: '',
            _meta: { total_lines: 2, returned_lines: 0, has_more: false },
          });
        },
      );

      it('gives nothing from line 2 of an empty file on [editor.read.past-end]', async () => {
        expect(await readBack('', { line: 2 })).toEqual({
          content: '',
          _meta: { total_lines: 0, returned_lines: 0, has_more: false },
        });
      });

      it('has no more where the window ends with the file [editor.read.next-line]', async () => {
        expect(await readBack('a\nb\n', { line: 1, limit: 2 })).toEqual({
          content: 'a\nb\n',
          _meta: { total_lines: 2, returned_lines: 2, has_more: false },
        });
      });

      it('gives the whole file to one who follows next_line [editor.read.next-line, editor.read.exact-text]', async () => {
        const text = 'one\r\n\ntwo\nthree\r\n\r\nlast';
        const path = stage.workspace.write('pieces.txt', text);
        let joined = '';
        for (let line: number | undefined = 1; line !== undefined; ) {
          const page = (await answerOf(stage.client, read, { path, line, limit: 2 })) as Page;
          joined += page.content;
          line = page._meta.next_line;
        }
        expect(joined).toBe(text);
      });
    });

    describe('encodings', () => {
      it('gives the byte order mark as part of the text [editor.read.byte-order-mark]', async () => {
        expect(await readBack('\uFEFFa\nb\n', { limit: 1 })).toEqual({
          content: '\uFEFFa\n',
          _meta: { total_lines: 2, returned_lines: 1, has_more: true, next_line: 2 },
        });
      });

      it.each([
        ['little-endian', (text: string) => Buffer.from(text, 'utf16le')],
        ['big-endian', (text: string) => Buffer.from(text, 'utf16le').swap16()],
      ])('decodes UTF-16, %s [editor.binary.utf16]', async (_, encode) => {
        expect(await readBack(encode('\uFEFFGrüße\r\n😀\n'))).toEqual({
          content: '\uFEFFGrüße\r\n😀\n',
          _meta: { total_lines: 2, returned_lines: 2, has_more: false },
        });
      });

      it.each([
        ['a NUL byte at the very end', Buffer.from(`${'text\n'.repeat(50_000)}\0`), 'nul byte'],
        ['a byte that UTF-8 never has', Buffer.from([0x61, 0xff, 0x62]), 'invalid utf8'],
        ['half a character at the end', Buffer.from([0x61, 0xe2, 0x82]), 'invalid utf8'],
        ['a surrogate in UTF-8', Buffer.from([0xed, 0xa0, 0x80]), 'invalid utf8'],
        ['an overlong slash', Buffer.from([0xc0, 0xaf]), 'invalid utf8'],
        ['Latin-1', Buffer.from('Grüße', 'latin1'), 'invalid utf8'],
        ['UTF-16 with half a unit', Buffer.from([0xff, 0xfe, 0x61]), 'utf16 odd length'],
        ['UTF-16 with half a pair', Buffer.from([0xff, 0xfe, 0x00, 0xd8]), 'utf16 lone surrogate'],
        ['UTF-16 without byte order mark', Buffer.from('text', 'utf16le'), 'nul byte'],
      ])(
        'takes %s as binary [editor.binary.not-utf8, editor.binary.nul, editor.binary.reason]',
        async (_, bytes, problem) => {
          const path = stage.workspace.write('binary', bytes);
          expect(await errorOf(stage.client, read, { path })).toEqual({
            code: -32004,
            message: `Cannot read binary file: ${path}`,
            data: { kind: 'not_text', path, reason: 'binary', problem },
          });
        },
      );
    });
  },
  ONE_WAY,
);

interface Page {
  readonly content: string;
  readonly _meta: { readonly next_line?: number };
}
