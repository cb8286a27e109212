import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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

const tooLarge = (path: string, bytes: number) =>
  failure('FILE_TOO_LARGE', `The content has ${bytes} bytes; at most ${MIB} can be written to ${path}`, {
    kind: 'too_large',
    path,
    bytes,
    limit: MIB,
  });

eachWay('write_file', {}, (stage) => {
  const write = (args: object) => ask(stage.client, 'write_file', args);

  it('publishes the schemas of the contract [workspace.write.input, workspace.write.output]', async () => {
    expect(await schemasOf(stage.client, 'write_file')).toEqual({
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['file', 'content'],
        properties: { file: { type: 'string' }, content: { type: 'string' } },
      },
      output: envelopeSchema({ file: { type: 'string' }, bytesWritten: { type: 'integer' } }),
    });
  });

  it('writes a file and the directories above it [workspace.write.manual.1, workspace.write.security.parents]', async () => {
    expect(await write({ file: 'src/deep/index.html', content: '<h1>Hi</h1>' })).toEqual(
      success({ file: 'src/deep/index.html', bytesWritten: 11 }),
    );
    expect(await write({ file: 'src/index.html', content: '<h1>Hi</h1>' })).toEqual(
      success({ file: 'src/index.html', bytesWritten: 11 }),
    );
    expect(treeOf(stage.workspace.root)).toEqual({
      src: '(directory)',
      'src/deep': '(directory)',
      'src/deep/index.html': '<h1>Hi</h1>',
      'src/index.html': '<h1>Hi</h1>',
    });
  });

  it('refuses to climb [workspace.write.manual.2, workspace.write.error.INVALID_PATH]', async () => {
    expect(await write({ file: '../x.txt', content: 'x' })).toEqual(invalidPath('../x.txt', 'contains a .. segment'));
  });

  it('refuses more than 1 MiB [workspace.write.error.FILE_TOO_LARGE]', async () => {
    const before = treeOf(stage.workspace.root);
    expect(await write({ file: 'new/big.txt', content: 'x'.repeat(MIB + 1) })).toEqual(
      tooLarge('new/big.txt', MIB + 1),
    );
    expect(treeOf(stage.workspace.root)).toEqual(before);
  });

  it('names the parameter that is wrong [workspace.write.error.VALIDATION_ERROR]', async () => {
    expect(await write({ file: 'x.txt' })).toEqual(invalid('content', 'is missing; expected a string'));
  });

  it('says that a directory is there [workspace.write.directory]', async () => {
    const before = treeOf(stage.workspace.root);
    for (const file of ['src', 'src/', '.'])
      expect(await write({ file, content: 'x' })).toEqual(
        failure('NOT_FILE', `${file === '.' ? '.' : 'src'} is a directory`, {
          kind: 'is_directory',
          path: file === '.' ? '.' : 'src',
        }),
      );
    expect(treeOf(stage.workspace.root)).toEqual(before);
  });
});

eachWay(
  'write_file',
  {},
  (stage) => {
    const write = (args: object) => ask(stage.client, 'write_file', args);

    describe('the size', () => {
      it('may be exactly 1 MiB, counted in bytes [workspace.write.security.bounded]', async () => {
        const content = '€'.repeat((MIB - 1) / 3);
        expect(Buffer.byteLength(content)).toBe(MIB - 1);
        expect(await write({ file: 'size.txt', content: `${content}x` })).toEqual(
          success({ file: 'size.txt', bytesWritten: MIB }),
        );
        expect(await write({ file: 'size.txt', content: `${content}xy` })).toEqual(tooLarge('size.txt', MIB + 1));
        expect(await write({ file: 'size.txt', content: '€'.repeat(MIB / 2) })).toEqual(
          tooLarge('size.txt', (MIB / 2) * 3),
        );
        expect(stage.workspace.read('size.txt')).toBe(`${content}x`);
      });

      it('may be nothing [workspace.write.output]', async () => {
        stage.workspace.write('emptied.txt', 'full');
        expect(await write({ file: 'emptied.txt', content: '' })).toEqual(
          success({ file: 'emptied.txt', bytesWritten: 0 }),
        );
        expect(stage.workspace.read('emptied.txt')).toBe('');
      });
    });

    it('writes the text as it was sent [workspace.write.exact]', async () => {
      const content = '\ufeffa\r\nb\nc\rd $& $1 \\n \u0001 é€\u{1f600}';
      expect(await write({ file: 'exact.txt', content })).toMatchObject({ ok: true });
      expect(stage.workspace.read('exact.txt')).toBe(content);
    });

    it('refuses text that no file can hold [workspace.write.error.VALIDATION_ERROR]', async () => {
      expect(await write({ file: 'half.txt', content: 'a\ud83d' })).toEqual(
        invalid('content', 'contains a lone surrogate, which no file can hold'),
      );
    });

    it('keeps the mode of a file that it replaces [workspace.write.replaces]', async () => {
      chmodSync(stage.workspace.write('script.sh', 'old'), 0o751);
      expect(await write({ file: 'script.sh', content: 'new' })).toMatchObject({ ok: true });
      expect([stage.workspace.read('script.sh'), statSync(stage.workspace.path('script.sh')).mode & 0o777]).toEqual([
        'new',
        0o751,
      ]);
    });

    it('leaves one whole text of many written at once, and nothing beside it [workspace.write.replaces]', async () => {
      const texts = Array.from({ length: 8 }, (_, at) => String(at).repeat(50_000));
      const answers = await Promise.all(texts.map((content) => write({ file: 'race/one.txt', content })));
      expect(answers.every(({ ok }) => ok)).toBe(true);
      expect(Object.keys(treeOf(stage.workspace.path('race')))).toEqual(['one.txt']);
      expect(texts).toContain(stage.workspace.read('race/one.txt'));
    });

    describe('a failure', () => {
      const unchanged = async (args: object, refusal: unknown) => {
        const before = treeOf(stage.workspace.root);
        expect(await write({ content: 'x', ...args })).toEqual(refusal);
        expect(treeOf(stage.workspace.root)).toEqual(before);
      };

      it('leaves no directory that was made for the file [workspace.write.failed-changes-nothing]', async () => {
        const long = `made/for/nothing/${'x'.repeat(256)}`;
        await unchanged({ file: long }, invalidPath(long, 'a name in it is too long for the file system'));
        await unchanged(
          { file: 'made/for/nothing/' },
          invalidPath('made/for/nothing', 'it ends with a slash, but a file is to be written'),
        );
        const middle = `made/${'x'.repeat(256)}/file.txt`;
        await unchanged({ file: middle }, invalidPath(middle, 'a name in it is too long for the file system'));
      });

      it('says that a file stands where a directory is needed [workspace.write.parent-is-file]', async () => {
        stage.workspace.write('plain.txt', 'keep');
        for (const parent of ['plain.txt', 'plain.txt/deeper'])
          await unchanged(
            { file: `${parent}/file.txt` },
            failure('NOT_DIRECTORY', `Cannot create ${parent}: a file is in its way`, {
              kind: 'parent_not_found',
              path: `${parent}/file.txt`,
              parent,
            }),
          );
      });

      it('leaves a pipe alone [workspace.write.directory]', async () => {
        mkdirSync(stage.workspace.path('special'));
        execFileSync('mkfifo', [stage.workspace.path('special/pipe')]);
        await unchanged(
          { file: 'special/pipe' },
          failure('NOT_FILE', 'special/pipe is not a file but a device, socket or pipe', {
            kind: 'not_a_file',
            path: 'special/pipe',
            found: 'a device, socket or pipe',
          }),
        );
      });

      it.each([
        [{ file: 3 }, invalid('file', 'must be a string, not 3')],
        [{ file: 'never.txt', content: null }, invalid('content', 'must be a string, not null')],
        [{ file: 'never.txt', content: { a: 1 } }, invalid('content', 'must be a string, not an object')],
        [
          { file: 'never.txt', mode: 0o777 },
          invalid('mode', 'is not a parameter here; expected: file, content', { expected: 'file, content' }),
        ],
      ])('is the answer to %j [workspace.write.error.VALIDATION_ERROR]', async (args, refusal) => {
        await unchanged(args, refusal);
      });
    });
  },
  ONE_WAY,
);
