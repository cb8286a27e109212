import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eachWay } from '../harness/each-way';
import { answerOf, errorOf, ONE_WAY } from './editor-answers';

const edit = 'edit_text_file';

eachWay('edit_text_file', {}, (stage) => {
  it('asks for path, old_string and new_string [editor.edit.metadata]', async () => {
    const tool = (await stage.client.tools()).find(({ name }) => name === edit);
    expect(tool?.inputSchema).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Absolute path to the file' },
        old_string: { type: 'string', description: 'Exact string to find and replace' },
        new_string: { type: 'string', description: 'Replacement string' },
      },
      required: ['path', 'old_string', 'new_string'],
    });
  });

  it('replaces the one occurrence, and tells its lines and the diff [editor.edit.result, editor.diff.headers]', async () => {
    const path = stage.workspace.write('config.toml', '[server]\nport = 8080\n');
    expect(await answerOf(stage.client, edit, { path, old_string: 'port = 8080', new_string: 'port = 3000' })).toEqual({
      success: true,
      diff: '--- config.toml\n+++ config.toml\n@@ -1,2 +1,2 @@\n [server]\n-port = 8080\n+port = 3000\n',
      line_range: { start: 2, end: 2 },
    });
    expect(stage.workspace.read('config.toml')).toBe('[server]\nport = 3000\n');
  });

  it('says that the string is not there [editor.edit.not-found]', async () => {
    const path = stage.workspace.write('file.txt', 'line 1\nline 2\n');
    expect(await errorOf(stage.client, edit, { path, old_string: 'zebra crossing', new_string: 'x' })).toEqual({
      code: -32010,
      message: 'String not found in file: zebra crossing',
      data: { kind: 'string_not_found', path, index: 0, reason: 'not_there', hint: expect.any(String) },
    });
    expect(stage.workspace.read('file.txt')).toBe('line 1\nline 2\n');
  });

  it('says how often the string appears, and where [editor.edit.not-unique, editor.help.ambiguous]', async () => {
    const path = stage.workspace.write('file.txt', 'foo\nbar foo\nbaz\nfoo\n');
    expect(await errorOf(stage.client, edit, { path, old_string: 'foo', new_string: 'x' })).toEqual({
      code: -32011,
      message: 'String appears 3 times (must be unique): foo',
      data: { kind: 'string_not_unique', path, index: 0, count: 3, lines: [1, 2, 4] },
    });
    expect(stage.workspace.read('file.txt')).toBe('foo\nbar foo\nbaz\nfoo\n');
  });

  it('refuses to replace a string by itself [editor.edit.identical]', async () => {
    const path = stage.workspace.write('file.txt', 'foo\n');
    expect(await errorOf(stage.client, edit, { path, old_string: 'foo', new_string: 'foo' })).toEqual({
      code: -32600,
      message: 'old_string and new_string are identical',
      data: { kind: 'identical_strings', parameter: 'arguments' },
    });
  });

  it.each(['', 'x'])('refuses an empty old_string, new_string %j [editor.edit.empty]', async (new_string) => {
    const path = stage.workspace.write('file.txt', 'foo\n');
    expect(await errorOf(stage.client, edit, { path, old_string: '', new_string })).toEqual({
      code: -32600,
      message: 'old_string cannot be empty',
      data: { kind: 'empty_old_string', parameter: 'old_string' },
    });
  });

  it('says that the file is not there [editor.edit.error.file-not-found]', async () => {
    const path = stage.workspace.path('missing.txt');
    expect(await errorOf(stage.client, edit, { path, old_string: 'a', new_string: 'b' })).toEqual({
      code: -32001,
      message: `File not found: ${path}`,
      data: { kind: 'file_not_found', path },
    });
  });

  it('refuses a directory [editor.edit.error.not-a-file, editor.family.directory]', async () => {
    const path = stage.workspace.path('folder');
    mkdirSync(path, { recursive: true });
    expect(await errorOf(stage.client, edit, { path, old_string: 'a', new_string: 'b' })).toEqual({
      code: -32003,
      message: `${path} is not a file`,
      data: { kind: 'not_a_file', path, found: 'a directory' },
    });
  });

  it('refuses a binary file and says why [editor.edit.error.binary, editor.binary.reason]', async () => {
    const path = stage.workspace.write('image.png', Buffer.from('a\0b'));
    expect(await errorOf(stage.client, edit, { path, old_string: 'a', new_string: 'b' })).toEqual({
      code: -32004,
      message: `Cannot edit binary file: ${path}`,
      data: { kind: 'not_text', path, reason: 'binary', problem: 'nul byte' },
    });
    expect(stage.workspace.bytes('image.png')).toEqual(Buffer.from('a\0b'));
  });

  it('refuses a relative path [editor.edit.error.invalid-path]', async () => {
    expect(await errorOf(stage.client, edit, { path: './file.txt', old_string: 'a', new_string: 'b' })).toEqual({
      code: -32600,
      message: 'Path must be absolute: ./file.txt',
      data: { kind: 'path_not_absolute', parameter: 'path', path: './file.txt' },
    });
  });
});

eachWay(
  'edit_text_file, matching',
  {},
  (stage) => {
    it('counts overlapping occurrences [editor.multi.overlaps, editor.help.ambiguous]', async () => {
      const path = stage.workspace.write('file.txt', 'aaa\n');
      expect(await errorOf(stage.client, edit, { path, old_string: 'aa', new_string: 'b' })).toEqual({
        code: -32011,
        message: 'String appears 2 times (must be unique): aa',
        data: { kind: 'string_not_unique', path, index: 0, count: 2, lines: [1, 1] },
      });
    });

    it.each([
      ['another case', 'Total = 1\n', 'total = 1'],
      ['another indentation', '\tif (x) {\n\t\ty();\n', '  if (x) {\n    y();'],
      ['a blank at the end of a line', 'one \ntwo\n', 'one\ntwo'],
      ['other quotes', 'say “hi”\n', 'say "hi"'],
      ['another form of the same character', 'caf\u00e9\n', 'cafe\u0301'],
      ['\\n for \\r\\n in old_string itself', 'one\ntwo\n', 'one\r\ntwo'],
      ['a lone \\r as line end', 'one\rtwo\n', 'one\ntwo'],
      ['one wrong letter', 'const answer = 42;\n', 'const anwser = 42;'],
    ])('edits nothing that is only similar: %s [editor.match.exact]', async (_, content, old_string) => {
      const path = stage.workspace.write('similar.txt', content);
      const { code } = await errorOf(stage.client, edit, { path, old_string, new_string: 'changed' });
      expect([code, stage.workspace.read('similar.txt')]).toEqual([-32010, content]);
    });

    it.each([
      ['\\n matches \\r\\n', 'a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz', 'x\r\ny\r\nz\r\nc\r\n'],
      ['a \\n at the end takes its \\r along', 'a\r\nb\r\n', 'a\n', 'x\n', 'x\r\nb\r\n'],
      ['mixed line ends within the match', 'a\r\nb\nc\r\nd\n', 'a\nb\nc', 'x\ny', 'x\r\ny\r\nd\n'],
      ['a \\r\\n of the replacement is not doubled', 'a\r\nb\r\n', 'a\nb', 'x\r\ny', 'x\r\ny\r\n'],
      ['the exact match comes first', 'a\r\nb\na\nb\n', 'a\nb', 'x\ny', 'a\r\nb\nx\ny\n'],
      ['on one line the replacement is taken as it is', 'a\r\nb\r\n', 'a', 'x\ny', 'x\ny\r\nb\r\n'],
    ])(
      'tolerates line ends: %s [editor.match.crlf, editor.match.crlf-replacement]',
      async (_, before, old_string, new_string, after) => {
        const path = stage.workspace.write('crlf.txt', before);
        await answerOf(stage.client, edit, { path, old_string, new_string });
        expect(stage.workspace.read('crlf.txt')).toBe(after);
      },
    );

    it('counts what the tolerance finds, too [editor.match.crlf, editor.edit.not-unique]', async () => {
      const path = stage.workspace.write('crlf.txt', 'a\r\nb\r\na\r\nb\r\n');
      expect(await errorOf(stage.client, edit, { path, old_string: 'a\nb', new_string: 'x' })).toEqual({
        code: -32011,
        message: 'String appears 2 times (must be unique): a\nb',
        data: { kind: 'string_not_unique', path, index: 0, count: 2, lines: [1, 3] },
      });
    });

    it.each(['$&', '$1', '$$', "$`$'", '\\n', '\\1', '$<name>'])(
      'takes %j as it is [editor.match.literal]',
      async (text) => {
        const path = stage.workspace.write('literal.txt', 'before (x) after\n');
        await answerOf(stage.client, edit, { path, old_string: '(x)', new_string: text });
        expect(stage.workspace.read('literal.txt')).toBe(`before ${text} after\n`);
      },
    );

    it('looks for the text, not for a pattern [editor.match.exact]', async () => {
      const path = stage.workspace.write('literal.txt', 'a.c abc\n');
      await answerOf(stage.client, edit, { path, old_string: 'a.c', new_string: 'x' });
      expect(stage.workspace.read('literal.txt')).toBe('x abc\n');
    });

    it.each([
      [200, (sent: string) => sent],
      [201, (sent: string) => `${sent.slice(0, 199)}…`],
      [5000, (sent: string) => `${sent.slice(0, 199)}…`],
    ])('says an old_string of %i characters in at most 200 [editor.match.message-cut]', async (length, shown) => {
      const path = stage.workspace.write('file.txt', 'text\n');
      const old_string = 'z'.repeat(length);
      const { message } = await errorOf(stage.client, edit, { path, old_string, new_string: 'x' });
      expect(message).toBe(`String not found in file: ${shown(old_string)}`);
    });

    it('cuts a message between characters [editor.match.message-cut]', async () => {
      const path = stage.workspace.write('file.txt', 'text\n');
      const { message } = await errorOf(stage.client, edit, { path, old_string: '😀'.repeat(300), new_string: 'x' });
      expect(message).toMatch(/^String not found in file: (?:😀)+…$/u);
    });

    it('tells all lines of a match [editor.edit.result, editor.multi.line-ranges]', async () => {
      const path = stage.workspace.write('lines.txt', '1\n2\n3\n4\n5\n');
      const answer = await answerOf(stage.client, edit, { path, old_string: '2\n3\n4', new_string: 'x' });
      expect(answer).toEqual({
        success: true,
        diff: '--- lines.txt\n+++ lines.txt\n@@ -1,5 +1,3 @@\n 1\n-2\n-3\n-4\n+x\n 5\n',
        line_range: { start: 2, end: 4 },
      });
    });

    it('deletes with an empty new_string [editor.edit.result]', async () => {
      const path = stage.workspace.write('all.txt', 'gone\n');
      expect(await answerOf(stage.client, edit, { path, old_string: 'gone\n', new_string: '' })).toEqual({
        success: true,
        diff: '--- all.txt\n+++ all.txt\n@@ -1,1 +0,0 @@\n-gone\n',
        line_range: { start: 1, end: 1 },
      });
      expect(stage.workspace.bytes('all.txt')).toHaveLength(0);
    });

    it('leaves the file alone when the line ends make old and new the same [editor.multi.no-net-change]', async () => {
      const path = stage.workspace.write('same.txt', 'a\r\nb\r\n');
      const before = statSync(path, { bigint: true });
      expect(await answerOf(stage.client, edit, { path, old_string: 'a\nb', new_string: 'a\r\nb' })).toEqual({
        success: true,
        diff: '',
        line_range: { start: 1, end: 2 },
      });
      const after = statSync(path, { bigint: true });
      expect([after.ino, after.mtimeNs, after.ctimeNs]).toEqual([before.ino, before.mtimeNs, before.ctimeNs]);
    });

    it.each([
      ['little-endian', (text: string) => Buffer.from(text, 'utf16le')],
      ['big-endian', (text: string) => Buffer.from(text, 'utf16le').swap16()],
    ])('writes UTF-16 back as it was, %s [editor.binary.utf16, editor.match.untouched-bytes]', async (_, encode) => {
      const path = stage.workspace.write('utf16.txt', encode('\uFEFFGrüße\r\n😀 end\r\n'));
      await answerOf(stage.client, edit, { path, old_string: 'Grüße\n😀', new_string: 'Hallo\n👋' });
      expect(stage.workspace.bytes('utf16.txt')).toEqual(encode('\uFEFFHallo\r\n👋 end\r\n'));
    });

    it('changes nothing but the match: mode, owner, other bytes, other files [editor.match.untouched-bytes]', async () => {
      const before = '\uFEFFa\r\nb\n\rc\u0000'.replace('\u0000', '\u007f');
      const path = stage.workspace.write('kept/script.sh', `${before}\told `);
      chmodSync(path, 0o751);
      const { uid, gid } = statSync(path);
      await answerOf(stage.client, edit, { path, old_string: 'old', new_string: 'new' });
      const after = statSync(path);
      expect(stage.workspace.read('kept/script.sh')).toBe(`${before}\tnew `);
      expect([after.mode & 0o7777, after.uid, after.gid]).toEqual([0o751, uid, gid]);
      expect(readdirSync(stage.workspace.path('kept'))).toEqual(['script.sh']);
    });
  },
  ONE_WAY,
);
