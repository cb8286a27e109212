import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../harness/client';
import { eachWay, type Stage } from '../harness/each-way';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { answerOf, errorOf, ONE_WAY } from './editor-answers';

const LONE = 'contains a lone surrogate, which no file can hold';

interface Failing {
  readonly what: string;
  readonly tool: string;
  readonly args: (workspace: Workspace) => object;
  readonly code: number;
  readonly message: (workspace: Workspace) => string;
}

/** One failing call for each number of the family; they need `image.bin` and `file.txt`. */
const FAILING: readonly Failing[] = [
  {
    what: 'a file that is not there',
    tool: 'read_text_file',
    args: ({ path }) => ({ path: path('missing.txt') }),
    code: -32001,
    message: ({ path }) => `File not found: ${path('missing.txt')}`,
  },
  {
    what: 'a file outside the roots',
    tool: 'write_text_file',
    args: () => ({ path: '/root/secret.txt', content: 'data' }),
    code: -32002,
    message: () => 'Permission denied: /root/secret.txt',
  },
  {
    what: 'a directory',
    tool: 'write_text_file',
    args: ({ root }) => ({ path: root, content: 'data' }),
    code: -32003,
    message: ({ root }) => `${root} is a directory`,
  },
  {
    what: 'a binary file',
    tool: 'read_text_file',
    args: ({ path }) => ({ path: path('image.bin') }),
    code: -32004,
    message: ({ path }) => `Cannot read binary file: ${path('image.bin')}`,
  },
  {
    what: 'a string that is not there',
    tool: 'edit_text_file',
    args: ({ path }) => ({ path: path('file.txt'), old_string: 'zebra', new_string: 'x' }),
    code: -32010,
    message: () => 'String not found in file: zebra',
  },
  {
    what: 'a string that is there twice',
    tool: 'multi_edit_text_file',
    args: ({ path }) => ({ path: path('file.txt'), edits: [{ old_string: 'o', new_string: '0' }] }),
    code: -32011,
    message: () => 'Edit 0: String appears 2 times: o',
  },
  {
    what: 'edits that conflict',
    tool: 'multi_edit_text_file',
    args: ({ path }) => ({
      path: path('file.txt'),
      edits: [
        { old_string: 'one', new_string: '1' },
        { old_string: 'one two', new_string: 'x' },
      ],
    }),
    code: -32012,
    message: () => 'Edit 1 conflicts with edit 0',
  },
  {
    what: 'a relative path',
    tool: 'edit_text_file',
    args: () => ({ path: 'file.txt', old_string: 'a', new_string: 'b' }),
    code: -32600,
    message: () => 'Path must be absolute: file.txt',
  },
  {
    what: 'a wrong type',
    tool: 'read_text_file',
    args: () => ({ path: 7 }),
    code: -32602,
    message: () => "Invalid parameter 'path': must be a string, not 7",
  },
];

function prepare({ workspace }: Stage): void {
  workspace.write('image.bin', Buffer.from('a\0b'));
  workspace.write('file.txt', 'one two\n');
}

eachWay('failures of the editor tools', {}, (stage) => {
  beforeAll(() => prepare(stage));

  it.each(FAILING)(
    '$what: an isError result with the error object, $code [editor.errors.result-form, editor.errors.data]',
    async (failing) => {
      const { content, structuredContent, isError } = await stage.client.result(
        failing.tool,
        failing.args(stage.workspace),
      );
      const body = {
        error: {
          code: failing.code,
          message: failing.message(stage.workspace),
          data: expect.objectContaining({ kind: expect.any(String) }),
        },
      };
      expect({ types: content.map(({ type }) => type), structuredContent, isError }).toEqual({
        types: ['text'],
        structuredContent: body,
        isError: true,
      });
      expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
    },
  );

  it('says the error of the example [editor.write.TC4, editor.write.example.error, editor.errors.outside-roots]', async () => {
    const path = '/root/secret.txt';
    expect(await errorOf(stage.client, 'write_text_file', { path, content: 'data' })).toEqual({
      code: -32002,
      message: 'Permission denied: /root/secret.txt',
      data: { kind: 'outside_roots', path, problem: 'it is outside the roots' },
    });
  });
});

eachWay('failures of the editor tools, --tool-errors=rpc', { flags: ['--tool-errors=rpc'] }, (stage, { era }) => {
  beforeAll(() => prepare(stage));

  if (era === 'legacy') {
    it.each(FAILING)('$what: a JSON-RPC error, $code [editor.errors.rpc-form]', async (failing) => {
      expect(await rpcErrorOf(stage.client, failing.tool, failing.args(stage.workspace))).toEqual({
        code: failing.code,
        // The client puts its own words before those of the wire.
        message: `MCP error ${failing.code}: ${failing.message(stage.workspace)}`,
        data: expect.objectContaining({ kind: expect.any(String) }),
      });
    });
  } else {
    it.each(FAILING)('$what: still a result, $code [editor.errors.rpc-form-modern]', async (failing) => {
      expect(await errorOf(stage.client, failing.tool, failing.args(stage.workspace))).toEqual({
        code: failing.code,
        message: failing.message(stage.workspace),
        data: expect.objectContaining({ kind: expect.any(String) }),
      });
    });
  }

  it('answers success as ever [editor.errors.rpc-form]', async () => {
    const path = stage.workspace.path('file.txt');
    expect(await answerOf(stage.client, 'read_text_file', { path })).toEqual({
      content: 'one two\n',
      _meta: { total_lines: 1, returned_lines: 1, has_more: false },
    });
  });
});

eachWay(
  'checks of the editor tools',
  {},
  (stage) => {
    const GOOD: Record<string, object> = {
      read_text_file: {},
      write_text_file: { content: 'data' },
      edit_text_file: { old_string: 'a', new_string: 'b' },
      multi_edit_text_file: { edits: [{ old_string: 'a', new_string: 'b' }] },
    };
    const BAD: Record<string, object> = {
      read_text_file: { line: 0 },
      write_text_file: { content: 7 },
      edit_text_file: { old_string: '', new_string: 'b' },
      multi_edit_text_file: { edits: [] },
    };
    const tools = Object.keys(GOOD);
    const codeOf = async (tool: string, args: object) => (await errorOf(stage.client, tool, args)).code;

    describe('parameters', () => {
      it.each([
        ['read_text_file', { path: 7 }, 'path', 'must be a string, not 7'],
        ['read_text_file', { path: null }, 'path', 'must be a string, not null'],
        ['read_text_file', { path: ['/a'] }, 'path', 'must be a string, not an array'],
        ['read_text_file', { path: '/a', line: '2' }, 'line', 'must be an integer, not a string'],
        ['read_text_file', { path: '/a', line: 1.5 }, 'line', 'must be an integer, not 1.5'],
        ['read_text_file', { path: '/a', line: null }, 'line', 'must be an integer, not null'],
        ['read_text_file', { path: '/a', limit: true }, 'limit', 'must be an integer, not true'],
        ['read_text_file', { path: '/a\0b' }, 'path', 'contains a NUL character'],
        ['write_text_file', { path: '/a', content: 7 }, 'content', 'must be a string, not 7'],
        ['write_text_file', { path: '/a', content: { a: 1 } }, 'content', 'must be a string, not an object'],
        ['edit_text_file', { path: '/a', old_string: 1, new_string: '' }, 'old_string', 'must be a string, not 1'],
        ['edit_text_file', { path: '/a', old_string: '\uD83D', new_string: '' }, 'old_string', LONE],
        ['edit_text_file', { path: '/a', old_string: 'a', new_string: '\uDE00' }, 'new_string', LONE],
        ['multi_edit_text_file', { path: '/a', edits: {} }, 'edits', 'must be an array, not an object'],
        [
          'multi_edit_text_file',
          { path: '/a', edits: [{ old_string: '\uD83D', new_string: 'b' }] },
          'edits[0].old_string',
          LONE,
        ],
        ['multi_edit_text_file', { path: '/a', edits: ['x'] }, 'edits[0]', 'must be an object, not a string'],
        [
          'multi_edit_text_file',
          {
            path: '/a',
            edits: [
              { old_string: 'a', new_string: 'b' },
              { old_string: 'a', new_string: null },
            ],
          },
          'edits[1].new_string',
          'must be a string, not null',
        ],
      ])(
        '%s %j names the parameter of the wrong type [editor.errors.wrong-type]',
        async (tool, args, parameter, problem) => {
          expect(await errorOf(stage.client, tool, args)).toEqual({
            code: -32602,
            message: `Invalid parameter '${parameter}': ${problem}`,
            data: { kind: 'invalid_argument', parameter },
          });
        },
      );

      it.each([
        ['read_text_file', {}, 'path', 'a string'],
        ['write_text_file', { content: 'a' }, 'path', 'a string'],
        ['write_text_file', { path: '/a' }, 'content', 'a string'],
        ['edit_text_file', { path: '/a', new_string: 'b' }, 'old_string', 'a string'],
        ['edit_text_file', { path: '/a', old_string: 'b' }, 'new_string', 'a string'],
        ['multi_edit_text_file', { path: '/a' }, 'edits', 'an array'],
        ['multi_edit_text_file', { path: '/a', edits: [{ old_string: 'a' }] }, 'edits[0].new_string', 'a string'],
      ])(
        '%s %j names the parameter that is missing [editor.errors.missing-parameter]',
        async (tool, args, parameter, expected) => {
          expect(await errorOf(stage.client, tool, args)).toEqual({
            code: -32602,
            message: `Invalid parameter '${parameter}': is missing; expected ${expected}`,
            data: { kind: 'invalid_argument', parameter },
          });
        },
      );

      it('takes no offence at a field that it does not know [editor.errors.unknown-field]', async () => {
        const path = stage.workspace.write('file.txt', 'text\n');
        expect(await answerOf(stage.client, 'read_text_file', { path, reason: 'curiosity' })).toEqual({
          content: 'text\n',
          _meta: { total_lines: 1, returned_lines: 1, has_more: false },
        });
      });
    });

    describe('the order of checks', () => {
      it.each(tools)('%s: the path first, though the rest is wrong too [editor.order-of-checks]', async (tool) => {
        const { code, message } = await errorOf(stage.client, tool, { ...BAD[tool], path: 'relative.txt' });
        expect([code, message]).toEqual([-32600, 'Path must be absolute: relative.txt']);
      });

      it.each(['a\0b', 'a\uD800'])(
        'a relative path is that before all else: %j [editor.order-of-checks]',
        async (path) => {
          expect(await codeOf('read_text_file', { path })).toBe(-32600);
        },
      );

      it.each([
        ['read_text_file', -32600],
        ['write_text_file', -32602],
        ['edit_text_file', -32600],
        ['multi_edit_text_file', -32600],
      ])('%s: other parameters before containment [editor.order-of-checks]', async (tool, code) => {
        expect(await codeOf(tool, { ...BAD[tool], path: '/etc/passwd' })).toBe(code);
      });

      it.each(tools)(
        '%s: containment before the file [editor.order-of-checks, editor.errors.outside-roots]',
        async (tool) => {
          const paths = ['/etc/passwd', '/no/such/folder/file', '/etc', `${stage.workspace.root}-other/file`];
          const codes = await Promise.all(paths.map((path) => codeOf(tool, { ...GOOD[tool], path })));
          expect(codes).toEqual([-32002, -32002, -32002, -32002]);
        },
      );
    });

    describe('the roots', () => {
      let outside = '';
      beforeAll(() => {
        outside = mkdtempSync(join(realpathSync(tmpdir()), 'tenon-outside-'));
        writeFileSync(join(outside, 'file.txt'), 'a secret\n');
        mkdirSync(stage.workspace.path('inner'));
        symlinkSync(outside, stage.workspace.path('door'));
        symlinkSync(join(outside, 'file.txt'), stage.workspace.path('window.txt'));
        symlinkSync(join(outside, 'new.txt'), stage.workspace.path('dangling.txt'));
      });
      afterAll(() => rmSync(outside, { recursive: true }));

      it.each(tools)(
        '%s denies what leads outside [editor.errors.outside-roots, editor.errors.changes-nothing]',
        async (tool) => {
          const { root } = stage.workspace;
          const ways = [
            `${root}/../${outside.split('/').at(-1)}/file.txt`,
            `${root}/inner/../../file.txt`,
            `${root}/door/file.txt`,
            `${root}/window.txt`,
            `${root}/dangling.txt`,
          ];
          for (const path of ways) {
            expect(await errorOf(stage.client, tool, { ...GOOD[tool], path })).toEqual({
              code: -32002,
              message: `Permission denied: ${path}`,
              data: { kind: 'outside_roots', path, problem: expect.any(String) },
            });
          }
          expect(existsSync(join(outside, 'new.txt'))).toBe(false);
        },
      );

      it('goes where a path with .. stays inside [editor.errors.outside-roots]', async () => {
        stage.workspace.write('file.txt', 'text\n');
        const path = `${stage.workspace.root}/inner/../file.txt`;
        expect(await stage.client.call('read_text_file', { path })).toMatchObject({ content: 'text\n' });
      });
    });
  },
  ONE_WAY,
);

describe('several roots', () => {
  const second = makeWorkspace({ 'file.txt': 'second\n' });
  afterAll(() => second.remove());

  eachWay(
    'editor tools',
    { flags: ['--root', second.root] },
    (stage) => {
      it('serve the files of each [editor.errors.several-roots]', async () => {
        const first = stage.workspace.write('file.txt', 'first\n');
        const read = async (path: string) =>
          ((await answerOf(stage.client, 'read_text_file', { path })) as { content: string }).content;
        expect([await read(first), await read(second.path('file.txt'))]).toEqual(['first\n', 'second\n']);
      });

      it('write through a symlink from one root into another [editor.errors.several-roots, editor.write.symlink]', async () => {
        const path = stage.workspace.path('across.txt');
        symlinkSync(second.path('file.txt'), path);
        await answerOf(stage.client, 'write_text_file', { path, content: 'across\n' });
        expect(second.read('file.txt')).toBe('across\n');
      });
    },
    ONE_WAY,
  );
});

async function rpcErrorOf(client: TestClient, tool: string, args: object): Promise<object> {
  try {
    const result = await client.result(tool, args);
    throw new Error(`a result came: ${JSON.stringify(result)}`);
  } catch (thrown) {
    const { code, message, data } = thrown as { code: number; message: string; data: unknown };
    return { code, message, data };
  }
}
