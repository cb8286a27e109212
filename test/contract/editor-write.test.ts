import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eachWay } from '../harness/each-way';
import { answerOf, errorOf, ONE_WAY } from './editor-answers';

const write = 'write_text_file';

eachWay('write_text_file', {}, (stage) => {
  it('is listed as its contract prints it [editor.write.metadata]', async () => {
    const tool = (await stage.client.tools()).find(({ name }) => name === write);
    expect({ description: tool?.description, inputSchema: tool?.inputSchema }).toEqual({
      description: 'Write complete content to a text file (creates or overwrites)',
      inputSchema: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Absolute path to the file' },
          content: { type: 'string', description: 'Complete file content to write' },
        },
        required: ['path', 'content'],
      },
    });
  });

  it('creates a new file [editor.write.TC1]', async () => {
    const path = stage.workspace.path('new.txt');
    expect(await answerOf(stage.client, write, { path, content: 'Hello\n' })).toEqual({
      success: true,
      bytes_written: 6,
      created: true,
    });
    expect(stage.workspace.read('new.txt')).toBe('Hello\n');
  });

  it('overwrites an existing file [editor.write.TC2]', async () => {
    const path = stage.workspace.write('existing.txt', 'Old content\n');
    expect(await answerOf(stage.client, write, { path, content: 'New content\n' })).toEqual({
      success: true,
      bytes_written: 12,
      created: false,
    });
    expect(stage.workspace.read('existing.txt')).toBe('New content\n');
  });

  it('creates an empty file [editor.write.TC3, editor.write.example.empty]', async () => {
    const path = stage.workspace.path('empty.txt');
    expect(await answerOf(stage.client, write, { path, content: '' })).toEqual({
      success: true,
      bytes_written: 0,
      created: true,
    });
    expect(stage.workspace.read('empty.txt')).toBe('');
  });

  it('answers the example requests [editor.write.example.create, editor.write.example.overwrite]', async () => {
    const path = stage.workspace.path('greeting.txt');
    expect([
      await answerOf(stage.client, write, { path, content: 'Hello, World!\n' }),
      await answerOf(stage.client, write, { path, content: 'Updated  content, 20' }),
      await answerOf(stage.client, write, { path, content: 'Updated content\n' }),
    ]).toEqual([
      { success: true, bytes_written: 14, created: true },
      { success: true, bytes_written: 20, created: false },
      { success: true, bytes_written: 16, created: false },
    ]);
    expect(stage.workspace.read('greeting.txt')).toBe('Updated content\n');
  });

  it('refuses a relative path [editor.write.TC5, editor.write.error.invalid-path]', async () => {
    expect(await errorOf(stage.client, write, { path: 'relative/path.txt', content: 'data' })).toEqual({
      code: -32600,
      message: 'Path must be absolute: relative/path.txt',
      data: { kind: 'path_not_absolute', parameter: 'path', path: 'relative/path.txt' },
    });
  });

  it('creates no directories [editor.write.TC6, editor.write.error.directory-not-found]', async () => {
    const parent = stage.workspace.path('missing-dir');
    const path = `${parent}/file.txt`;
    expect(await errorOf(stage.client, write, { path, content: 'data' })).toEqual({
      code: -32001,
      message: `Parent directory not found: ${parent}`,
      data: { kind: 'parent_not_found', path, parent },
    });
    expect(existsSync(parent)).toBe(false);
  });

  it('refuses a directory [editor.write.TC7, editor.write.error.is-directory]', async () => {
    const path = stage.workspace.path('dir');
    mkdirSync(path);
    expect(await errorOf(stage.client, write, { path, content: 'data' })).toEqual({
      code: -32003,
      message: `${path} is a directory`,
      data: { kind: 'is_directory', path },
    });
  });

  it('takes a file for no parent [editor.write.parent-is-file]', async () => {
    const parent = stage.workspace.write('file.txt', 'a file\n');
    const path = `${parent}/child.txt`;
    expect(await errorOf(stage.client, write, { path, content: 'data' })).toEqual({
      code: -32001,
      message: `Parent directory not found: ${parent}`,
      data: { kind: 'parent_not_found', path, parent },
    });
    expect(stage.workspace.read('file.txt')).toBe('a file\n');
  });

  it('writes one megabyte whole [editor.write.TC8]', async () => {
    const path = stage.workspace.path('large.txt');
    const content = '0123456789abcde\n'.repeat(65_536);
    expect(await answerOf(stage.client, write, { path, content })).toEqual({
      success: true,
      bytes_written: 1_048_576,
      created: true,
    });
    expect(stage.workspace.read('large.txt') === content).toBe(true);
  });
});

eachWay(
  'write_text_file, bytes and links',
  {},
  (stage) => {
    it.each([
      ['ä', 2],
      ['€uro\n', 7],
      ['😀', 4],
      ['\uFEFFa', 4],
      ['a\r\nb', 4],
      ['e\u0301', 3],
    ])('counts the bytes of %j on disk [editor.write.bytes-on-disk]', async (content, bytes) => {
      const path = stage.workspace.path('bytes.txt');
      const answer = (await answerOf(stage.client, write, { path, content })) as { bytes_written: number };
      expect([answer.bytes_written, statSync(path).size]).toEqual([bytes, bytes]);
      expect(stage.workspace.read('bytes.txt')).toBe(content);
    });

    it('keeps UTF-16 where the content brings the byte order mark [editor.binary.utf16, editor.write.bytes-on-disk]', async () => {
      const path = stage.workspace.write('utf16.txt', Buffer.from('\uFEFFold', 'utf16le'));
      expect(await answerOf(stage.client, write, { path, content: '\uFEFFnew text' })).toEqual({
        success: true,
        bytes_written: 18,
        created: false,
      });
      expect(stage.workspace.bytes('utf16.txt')).toEqual(Buffer.from('\uFEFFnew text', 'utf16le'));
    });

    it('writes through a symlink inside the roots, which stays one [editor.write.symlink]', async () => {
      stage.workspace.write('folder/target.txt', 'old\n');
      const path = stage.workspace.path('link.txt');
      symlinkSync('folder/target.txt', path);
      expect(await answerOf(stage.client, write, { path, content: 'new\n' })).toEqual({
        success: true,
        bytes_written: 4,
        created: false,
      });
      expect([lstatSync(path).isSymbolicLink(), readlinkSync(path)]).toEqual([true, 'folder/target.txt']);
      expect(stage.workspace.read('folder/target.txt')).toBe('new\n');
    });

    it('keeps the mode of the file and leaves nothing beside it [editor.match.untouched-bytes]', async () => {
      const path = stage.workspace.write('bin/run.sh', 'old\n');
      chmodSync(path, 0o750);
      await answerOf(stage.client, write, { path, content: 'new\n' });
      expect([statSync(path).mode & 0o7777, readdirSync(stage.workspace.path('bin'))]).toEqual([0o750, ['run.sh']]);
    });

    it('refuses what no file can hold [editor.errors.wrong-type]', async () => {
      const path = stage.workspace.path('surrogate.txt');
      expect(await errorOf(stage.client, write, { path, content: 'a\uD800b' })).toEqual({
        code: -32602,
        message: "Invalid parameter 'content': contains a lone surrogate, which no file can hold",
        data: { kind: 'invalid_argument', parameter: 'content' },
      });
      expect(existsSync(path)).toBe(false);
    });
  },
  ONE_WAY,
);
