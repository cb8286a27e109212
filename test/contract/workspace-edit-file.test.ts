import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openClient } from '../harness/client';
import { eachWay } from '../harness/each-way';
import {
  ask,
  envelopeSchema,
  failure,
  invalid,
  invalidPath,
  ONE_WAY,
  schemasOf,
  success,
  treeOf,
} from './workspace-envelope';

const MIB = 1_048_576;

const conflict = (path: string, count: number, expected: number, lines: number[]) =>
  failure(
    'EDIT_CONFLICT',
    `${path} has ${count} occurrences, expected ${expected}; set replaceAll, or send a longer find`,
    { kind: 'count_mismatch', path, count, expected, lines },
  );

const tooLarge = (path: string, bytes: number) =>
  failure('FILE_TOO_LARGE', `${path} has ${bytes} bytes; at most ${MIB} are allowed here`, {
    kind: 'too_large',
    path,
    bytes,
    limit: MIB,
  });

eachWay('edit_file', {}, (stage) => {
  const edit = (args: object) => ask(stage.client, 'edit_file', args);

  it('publishes the schemas of the contract [workspace.edit.input, workspace.edit.output]', async () => {
    expect(await schemasOf(stage.client, 'edit_file')).toEqual({
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['file', 'find', 'replace'],
        properties: {
          file: { type: 'string' },
          find: { type: 'string', minLength: 1 },
          replace: { type: 'string' },
          replaceAll: { type: 'boolean', default: false },
          expectedOccurrences: { type: 'integer', minimum: 1, maximum: 1000000 },
        },
      },
      output: envelopeSchema({ file: { type: 'string' }, replacements: { type: 'integer' } }),
    });
  });

  it('replaces the one occurrence [workspace.edit.manual.1]', async () => {
    stage.workspace.write('a.txt', 'the old and the x\n');
    expect(await edit({ file: 'a.txt', find: 'old', replace: 'new' })).toEqual(
      success({ file: 'a.txt', replacements: 1 }),
    );
    expect(stage.workspace.read('a.txt')).toBe('the new and the x\n');
  });

  it('says that the text is not there, and why [workspace.edit.manual.2, workspace.edit.error.PATTERN_NOT_FOUND]', async () => {
    stage.workspace.write('a.txt', 'the new and the x\n');
    expect(await edit({ file: 'a.txt', find: 'missing', replace: 'x' })).toEqual(
      failure('PATTERN_NOT_FOUND', 'Not found in a.txt: missing', {
        kind: 'string_not_found',
        path: 'a.txt',
        reason: 'not_there',
        hint: expect.any(String),
      }),
    );
  });

  it('refuses when the number of occurrences differs [workspace.edit.manual.3, workspace.edit.error.EDIT_CONFLICT]', async () => {
    stage.workspace.write('a.txt', 'the new and the x\n');
    expect(await edit({ file: 'a.txt', find: 'x', replace: 'y', expectedOccurrences: 2 })).toEqual(
      conflict('a.txt', 1, 2, [1]),
    );
    expect(stage.workspace.read('a.txt')).toBe('the new and the x\n');
  });

  it('refuses to climb [workspace.edit.error.INVALID_PATH]', async () => {
    expect(await edit({ file: '../a.txt', find: 'x', replace: 'y' })).toEqual(
      invalidPath('../a.txt', 'contains a .. segment'),
    );
  });

  it('says that the file is not there [workspace.edit.error.NOT_FOUND]', async () => {
    expect(await edit({ file: 'gone/a.txt', find: 'x', replace: 'y' })).toEqual(
      failure('NOT_FOUND', 'File not found: gone/a.txt', { kind: 'file_not_found', path: 'gone/a.txt' }),
    );
    expect(treeOf(stage.workspace.root)).toEqual({ 'a.txt': 'the new and the x\n' });
  });

  it('lets no result pass 1 MiB [workspace.edit.error.FILE_TOO_LARGE, workspace.edit.security.ceiling]', async () => {
    const text = `${'a'.repeat(MIB - 1)}x`;
    stage.workspace.write('full.txt', text);
    expect(await edit({ file: 'full.txt', find: 'x', replace: 'xy' })).toEqual(tooLarge('full.txt', MIB + 1));
    expect(stage.workspace.read('full.txt')).toBe(text);
  });

  it('names the parameter that is wrong [workspace.edit.error.VALIDATION_ERROR]', async () => {
    expect(await edit({ file: 'a.txt', find: '', replace: 'y' })).toEqual(invalid('find', 'must not be empty'));
    expect(await edit({ file: 'a.txt', find: 'x' })).toEqual(invalid('replace', 'is missing; expected a string'));
  });
});

eachWay(
  'edit_file',
  {},
  (stage) => {
    const edit = (args: object) => ask(stage.client, 'edit_file', args);
    /** Edits a file of this text, and gives the answer with the text that is there afterwards. */
    const editing = async (text: string | Uint8Array, args: object) => {
      stage.workspace.write('t.txt', text);
      return { answer: await edit({ file: 't.txt', ...args }), text: stage.workspace.read('t.txt') };
    };
    const done = (replacements: number) => success({ file: 't.txt', replacements });

    describe('how many are replaced', () => {
      const text = 'x 1\nx 2\n- x 3\n';
      const lines = [1, 2, 3];

      it.each([
        // replaceAll, expectedOccurrences, occurrences replaced (0: a conflict)
        [undefined, undefined, 0],
        [false, undefined, 0],
        [false, 1, 0],
        [false, 2, 0],
        [false, 3, 1],
        [false, 4, 0],
        [true, undefined, 3],
        [true, 1, 0],
        [true, 2, 0],
        [true, 3, 3],
        [true, 4, 0],
      ])(
        'of three, with replaceAll %s and expectedOccurrences %s: %i [workspace.edit.occurrences, workspace.edit.expected, workspace.edit.conflict-details]',
        async (replaceAll, expectedOccurrences, replaced) => {
          const after = ['x', 'x', 'x'].map((x, at) => (at < replaced ? 'y' : x));
          expect(await editing(text, { find: 'x', replace: 'y', replaceAll, expectedOccurrences })).toEqual({
            answer: replaced === 0 ? conflict('t.txt', 3, expectedOccurrences ?? 1, lines) : done(replaced),
            text: `${after[0]} 1\n${after[1]} 2\n- ${after[2]} 3\n`,
          });
        },
      );

      it.each([
        [undefined, undefined],
        [false, 1],
        [true, undefined],
        [true, 1],
      ])(
        'of one, with replaceAll %s and expectedOccurrences %s: 1 [workspace.edit.occurrences]',
        async (replaceAll, expectedOccurrences) => {
          expect(await editing('one x', { find: 'x', replace: 'y', replaceAll, expectedOccurrences })).toEqual({
            answer: done(1),
            text: 'one y',
          });
        },
      );

      it('of none: that is no conflict but a text that is not there [workspace.edit.error.PATTERN_NOT_FOUND]', async () => {
        for (const more of [{}, { replaceAll: true }, { expectedOccurrences: 1 }])
          expect((await editing('abc', { find: 'zzz', replace: 'y', ...more })).answer.error?.code).toBe(
            'PATTERN_NOT_FOUND',
          );
      });

      it('counts places that overlap, and replaces from the left [workspace.edit.occurrences]', async () => {
        expect((await editing('aaa', { find: 'aa', replace: 'b' })).answer).toEqual(conflict('t.txt', 2, 1, [1, 1]));
        expect(await editing('aaa', { find: 'aa', replace: 'b', replaceAll: true })).toEqual({
          answer: done(1),
          text: 'ba',
        });
      });

      it('lists the lines of the first hundred, and counts all [workspace.edit.conflict-details]', async () => {
        const { answer } = await editing('x\n'.repeat(1000), { find: 'x', replace: 'y' });
        expect(answer).toEqual(
          conflict(
            't.txt',
            1000,
            1,
            Array.from({ length: 100 }, (_, at) => at + 1),
          ),
        );
      });
    });

    describe('what is replaced', () => {
      it.each(['$&', '$1', '$$', "$'", '$`', '\\n', '\\'])(
        '%j is literal, in find and in replace [workspace.edit.literal, workspace.edit.security.no-patterns]',
        async (sign) => {
          expect(await editing('a b c', { find: 'b', replace: sign })).toEqual({
            answer: done(1),
            text: `a ${sign} c`,
          });
          expect(await editing(`a ${sign} c`, { find: sign, replace: 'b', replaceAll: true })).toEqual({
            answer: done(1),
            text: 'a b c',
          });
        },
      );

      it.each(['.', '.*', '[a-z]', '(a|b)', '^a', 'c$', '\\w'])(
        '%j is no pattern [workspace.edit.security.no-patterns]',
        async (find) => {
          const { answer, text } = await editing('a b c', { find, replace: 'X', replaceAll: true });
          expect([answer.error?.code, text]).toEqual(['PATTERN_NOT_FOUND', 'a b c']);
        },
      );

      it('may be deleted [workspace.edit.literal]', async () => {
        expect(await editing('a b', { find: ' b', replace: '' })).toEqual({ answer: done(1), text: 'a' });
      });

      it('leaves every other byte: line ends, byte order mark, encoding and mode [workspace.edit.other-bytes]', async () => {
        chmodSync(stage.workspace.write('t.txt', ''), 0o640);
        expect(await editing('\ufeffa\r\nb\nc\rx', { find: 'x', replace: 'y' })).toEqual({
          answer: done(1),
          text: '\ufeffa\r\nb\nc\ry',
        });
        expect(statSync(stage.workspace.path('t.txt')).mode & 0o777).toBe(0o640);
        await editing(Buffer.from('\ufeffäx\r\n', 'utf16le'), { find: 'x', replace: 'y' });
        expect(stage.workspace.bytes('t.txt')).toEqual(Buffer.from('\ufeffäy\r\n', 'utf16le'));
      });
    });

    describe('line ends', () => {
      it('\\n in find also means \\r\\n, and the replacement takes them [workspace.edit.crlf]', async () => {
        expect(await editing('a\r\nb\r\nc\r\n', { find: 'a\nb', replace: '1\n2\n3' })).toEqual({
          answer: done(1),
          text: '1\r\n2\r\n3\r\nc\r\n',
        });
      });

      it('what is there as it stands comes first [workspace.edit.crlf]', async () => {
        expect(await editing('a\nb\na\r\nb\r\n', { find: 'a\nb', replace: '1\n2' })).toEqual({
          answer: done(1),
          text: '1\n2\na\r\nb\r\n',
        });
      });

      it('\\r\\n in find does not mean \\n [workspace.edit.crlf]', async () => {
        const { answer, text } = await editing('a\nb\n', { find: 'a\r\nb', replace: 'x' });
        expect([answer.error?.code, answer.error?.details.reason, text]).toEqual([
          'PATTERN_NOT_FOUND',
          'line_endings',
          'a\nb\n',
        ]);
      });
    });

    describe('a failed match', () => {
      const cases: [string, string, string, string][] = [
        ['tabs_vs_spaces', 'if (a) {\n\treturn total;\n}\n', '    return total;', '\treturn total;'],
        ['trailing_whitespace', 'first line  \nsecond line\n', 'first line\nsecond', 'first line  \nsecond'],
        ['quotes', 'say “hello there”\n', 'say "hello there"', 'say “hello there”'],
        ['case', 'const Total = 1;\n', 'const total = 1;', 'const Total = 1;'],
      ];
      it.each(cases)(
        'says %s, where, and the text to send instead [workspace.edit.match-help]',
        async (reason, text, find, there) => {
          const { answer } = await editing(text, { find, replace: 'new' });
          const details = answer.error?.details ?? {};
          expect(details).toMatchObject({
            kind: 'string_not_found',
            path: 't.txt',
            reason,
            start_line: expect.any(Number),
            end_line: expect.any(Number),
            old_string: there,
            hint: expect.any(String),
          });
          expect(JSON.stringify(details).length).toBeLessThan(4500);
          expect(await edit({ file: 't.txt', find: details.old_string, replace: 'new' })).toEqual(done(1));
        },
      );

      it('never changes text that is only similar [workspace.edit.match-help]', async () => {
        const text = 'const total = sum(1, 2);\n';
        expect((await editing(text, { find: 'const total = sum(1,2);', replace: 'x' })).text).toBe(text);
      });

      it('quotes a long find shortened [workspace.edit.match-help]', async () => {
        const { answer } = await editing('abc', { find: 'z'.repeat(5000), replace: 'x' });
        expect(answer.error?.message).toBe(`Not found in t.txt: ${'z'.repeat(199)}…`);
      });
    });

    describe('the size', () => {
      it('may reach 1 MiB, counted in bytes [workspace.edit.security.ceiling]', async () => {
        const head = 'a'.repeat(MIB - 3);
        expect(await editing(`${head}x`, { find: 'x', replace: '€' })).toEqual({ answer: done(1), text: `${head}€` });
        expect((await editing(`${head}xa`, { find: 'x', replace: '€' })).answer).toEqual(tooLarge('t.txt', MIB + 1));
      });

      it('refuses a file that is larger already, even to make it smaller [workspace.edit.error.FILE_TOO_LARGE]', async () => {
        const { answer } = await editing(`${'a'.repeat(MIB)}x`, { find: 'x', replace: '' });
        expect(answer).toEqual(tooLarge('t.txt', MIB + 1));
      });
    });

    describe('a failure', () => {
      it('leaves the very file: not written anew, nothing beside it [workspace.edit.failed-changes-nothing]', async () => {
        stage.workspace.write('still/t.txt', 'x x');
        const state = () => {
          const { ino, ctimeNs, mtimeNs } = statSync(stage.workspace.path('still/t.txt'), { bigint: true });
          return { ino, ctimeNs, mtimeNs };
        };
        const before = state();
        for (const args of [
          { find: 'x', replace: 'y' },
          { find: 'z', replace: 'y' },
          { find: 'x', replace: 'y'.repeat(MIB), replaceAll: true },
        ])
          expect(await edit({ file: 'still/t.txt', ...args })).toMatchObject({ ok: false });
        expect(state()).toEqual(before);
        expect(treeOf(stage.workspace.path('still'))).toEqual({ 't.txt': 'x x' });
      });

      it('says that a directory is no file, and that a file is not text [workspace.edit.not-text-file]', async () => {
        mkdirSync(stage.workspace.path('folder'));
        expect((await edit({ file: 'folder', find: 'x', replace: 'y' })).error).toMatchObject({ code: 'NOT_FILE' });
        const { answer } = await editing(Buffer.from([0x78, 0xff]), { find: 'x', replace: 'y' });
        expect(answer.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'binary' } });
        expect(stage.workspace.bytes('t.txt')).toEqual(Buffer.from([0x78, 0xff]));
      });

      it.each([
        [{ expectedOccurrences: 0 }, invalid('expectedOccurrences', 'must be >= 1: 0')],
        [{ expectedOccurrences: 1_000_001 }, invalid('expectedOccurrences', 'must be <= 1000000: 1000001')],
        [{ expectedOccurrences: '1' }, invalid('expectedOccurrences', 'must be an integer, not a string')],
        [{ replaceAll: 'all' }, invalid('replaceAll', 'must be a boolean, not a string')],
        [{ find: 5 }, invalid('find', 'must be a string, not 5')],
        [{ replace: null }, invalid('replace', 'must be a string, not null')],
        [{ replace: '\udc00' }, invalid('replace', 'contains a lone surrogate, which no file can hold')],
        [
          { regex: true },
          invalid('regex', 'is not a parameter here; expected: file, find, replace, replaceAll, expectedOccurrences', {
            expected: 'file, find, replace, replaceAll, expectedOccurrences',
          }),
        ],
      ])('is the answer to %j [workspace.edit.error.VALIDATION_ERROR]', async (args, refusal) => {
        expect(await editing('x', { find: 'x', replace: 'y', ...args })).toEqual({ answer: refusal, text: 'x' });
      });
    });

    describe('at the same time', () => {
      const counters = (count: number) => Array.from({ length: count }, (_, at) => `<${at}>`);

      it('fifty edits of one file are all kept [workspace.edit.none-lost]', async () => {
        stage.workspace.write('many.txt', counters(50).join('\n'));
        const answers = await Promise.all(
          counters(50).map((find) => edit({ file: 'many.txt', find, replace: `${find} done` })),
        );
        expect(answers).toEqual(Array(50).fill(success({ file: 'many.txt', replacements: 1 })));
        expect(stage.workspace.read('many.txt')).toBe(
          counters(50)
            .map((mark) => `${mark} done`)
            .join('\n'),
        );
      });

      it('edits from two servers are all kept [workspace.edit.none-lost]', async () => {
        const other = await openClient({ door: 'stdio', era: 'legacy' }, { root: stage.workspace.root });
        try {
          stage.workspace.write('two/shared.txt', counters(50).join('\n'));
          const answers = await Promise.all(
            counters(50).map((find, at) =>
              ask(at % 2 === 0 ? stage.client : other, 'edit_file', {
                file: 'two/shared.txt',
                find,
                replace: `${find} done`,
              }),
            ),
          );
          expect(answers).toEqual(Array(50).fill(success({ file: 'two/shared.txt', replacements: 1 })));
          expect(treeOf(stage.workspace.path('two'))).toEqual({
            'shared.txt': counters(50)
              .map((mark) => `${mark} done`)
              .join('\n'),
          });
        } finally {
          await other.close();
        }
      });
    });
  },
  ONE_WAY,
);
