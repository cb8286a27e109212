import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eachWay } from '../harness/each-way';
import { ask, failure, invalid, invalidPath, ONE_WAY, schemasOf, success } from './workspace-envelope';

const tooLarge = (path: string, bytes: number, limit: number) =>
  failure('FILE_TOO_LARGE', `${path} has ${bytes} bytes; at most ${limit} are allowed here`, {
    kind: 'too_large',
    path,
    bytes,
    limit,
  });

eachWay('read_file', {}, (stage) => {
  const read = (args: object) => ask(stage.client, 'read_file', args);

  it('publishes the input of the contract, and no output schema: its text is sent once [workspace.read.input, workspace.read.sent-once]', async () => {
    expect(await schemasOf(stage.client, 'read_file')).toEqual({
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['file'],
        properties: {
          file: { type: 'string' },
          maxBytes: { type: 'integer', minimum: 1, maximum: 1048576, default: 262144 },
        },
      },
      output: undefined,
    });
  });

  it('gives content and bytes [workspace.read.manual.1, workspace.read.output]', async () => {
    stage.workspace.write('notes.txt', 'Buy milk\nand crème\n');
    expect(await read({ file: 'notes.txt' })).toEqual(
      success({ file: 'notes.txt', content: 'Buy milk\nand crème\n', bytes: 20 }),
    );
  });

  it('refuses an absolute path [workspace.read.manual.2, workspace.read.error.INVALID_PATH, workspace.read.security.root]', async () => {
    expect(await read({ file: '/etc/passwd' })).toEqual(invalidPath('/etc/passwd', 'is absolute'));
  });

  it('refuses a file larger than maxBytes and says its size [workspace.read.manual.3, workspace.read.error.FILE_TOO_LARGE]', async () => {
    stage.workspace.write('big.txt', 'more than sixteen bytes');
    expect(await read({ file: 'big.txt', maxBytes: 16 })).toEqual(tooLarge('big.txt', 23, 16));
  });

  it('says that the file is not there [workspace.read.error.NOT_FOUND]', async () => {
    for (const file of ['gone.txt', 'gone/deep.txt', 'notes.txt/deep.txt'])
      expect(await read({ file })).toEqual(
        failure('NOT_FOUND', `File not found: ${file}`, { kind: 'file_not_found', path: file }),
      );
  });

  it('says that a directory is no file [workspace.read.error.NOT_FILE]', async () => {
    mkdirSync(stage.workspace.path('folder'));
    for (const file of ['folder', '.'])
      expect(await read({ file })).toEqual(
        failure('NOT_FILE', `${file} is not a file but a directory`, {
          kind: 'not_a_file',
          path: file,
          found: 'a directory',
        }),
      );
  });

  it('names the parameter that is wrong, and says that a file is not text [workspace.read.error.VALIDATION_ERROR, workspace.read.binary]', async () => {
    expect(await read({})).toEqual(invalid('file', 'is missing; expected a string'));
    stage.workspace.write('image.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]));
    expect(await read({ file: 'image.png' })).toEqual(
      failure('VALIDATION_ERROR', expect.stringMatching(/^image\.png is not text: /) as unknown as string, {
        kind: 'not_text',
        path: 'image.png',
        reason: 'binary',
      }),
    );
  });
});

eachWay(
  'read_file',
  {},
  (stage) => {
    const read = (args: object) => ask(stage.client, 'read_file', args);
    const put = (file: string, content: string | Uint8Array) => {
      stage.workspace.write(file, content);
      return file;
    };

    describe('maxBytes', () => {
      it.each([
        ['1', 1, 1],
        ['the default', undefined, 262_144],
        ['the most', 1_048_576, 1_048_576],
      ])(
        '%s: so many bytes are read, one more is refused [workspace.read.security.bounded, workspace.read.defaults]',
        async (_, maxBytes, limit) => {
          const [fits, over] = [put('fits.txt', 'x'.repeat(limit)), put('over.txt', 'x'.repeat(limit + 1))];
          expect(await read({ file: fits, maxBytes })).toEqual(
            success({ file: fits, content: 'x'.repeat(limit), bytes: limit }),
          );
          expect(await read({ file: over, maxBytes })).toEqual(tooLarge(over, limit + 1, limit));
        },
      );

      it('counts bytes, not characters [workspace.read.security.bounded]', async () => {
        expect(await read({ file: put('euro.txt', '€€'), maxBytes: 5 })).toEqual(tooLarge('euro.txt', 6, 5));
        expect(await read({ file: 'euro.txt', maxBytes: 6 })).toMatchObject({ data: { content: '€€', bytes: 6 } });
      });

      it.each([
        [0, 'must be >= 1: 0'],
        [1_048_577, 'must be <= 1048576: 1048577'],
        [1.5, 'must be an integer, not 1.5'],
        ['16', 'must be an integer, not a string'],
      ])('is not %j [workspace.read.error.VALIDATION_ERROR]', async (maxBytes, problem) => {
        expect(await read({ file: 'euro.txt', maxBytes })).toEqual(invalid('maxBytes', problem));
      });
    });

    it.each([
      ['line ends', 'a\r\nb\nc\rd'],
      ['a byte order mark', '\ufeffa'],
      ['nothing', ''],
      ['characters of every width', 'aé€\u{1f600}\u0301\u2028'],
      ['control characters', '\u0001\u001b[31m\u007f'],
    ])('gives the exact text: %s [workspace.read.exact]', async (_, text) => {
      expect(await read({ file: put('exact.txt', text) })).toEqual(
        success({ file: 'exact.txt', content: text, bytes: Buffer.byteLength(text) }),
      );
    });

    it('decodes UTF-16 that says so, and counts its bytes on disk [workspace.read.exact]', async () => {
      const bytes = Buffer.from('\ufeffhé', 'utf16le');
      expect(await read({ file: put('utf16.txt', bytes) })).toEqual(
        success({ file: 'utf16.txt', content: '\ufeffhé', bytes: 6 }),
      );
    });

    it.each([
      ['a NUL byte', Buffer.from('text\0text')],
      ['a stray byte', Buffer.from([0x61, 0xff, 0x62])],
      ['half a character', Buffer.from([0x61, 0xe2, 0x82])],
      ['an overlong form', Buffer.from([0xc0, 0xaf])],
      ['an encoded surrogate', Buffer.from([0xed, 0xa0, 0x80])],
    ])('takes %s for binary [workspace.read.binary]', async (_, bytes) => {
      expect(await read({ file: put('binary', bytes) })).toMatchObject({
        error: { code: 'VALIDATION_ERROR', details: { kind: 'not_text', path: 'binary', reason: 'binary' } },
      });
    });

    it('does not wait for a pipe [workspace.read.error.NOT_FILE]', async () => {
      execFileSync('mkfifo', [stage.workspace.path('pipe')]);
      expect(await read({ file: 'pipe' })).toEqual(
        failure('NOT_FILE', 'pipe is not a file but a device, socket or pipe', {
          kind: 'not_a_file',
          path: 'pipe',
          found: 'a device, socket or pipe',
        }),
      );
    });

    it.each([
      [{ file: 1 }, invalid('file', 'must be a string, not 1')],
      [{ path: 'a' }, invalid('file', 'is missing; expected a string')],
      [
        { file: 'a', encoding: 'latin1' },
        invalid('encoding', 'is not a parameter here; expected: file, maxBytes', { expected: 'file, maxBytes' }),
      ],
    ])('refuses %j [workspace.read.error.VALIDATION_ERROR]', async (args, refusal) => {
      expect(await read(args)).toEqual(refusal);
    });
  },
  ONE_WAY,
);
