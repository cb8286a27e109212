/** The rules for paths, on every path field of every workspace tool. */
import { spawn } from 'node:child_process';
import { lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClient } from '../harness/client';
import { eachWay } from '../harness/each-way';
import { makeWorkspace } from '../harness/workspace';
import { ask, type Envelope, failure, invalidPath, leadsOutside, ONE_WAY, success, treeOf } from './workspace-envelope';

interface Field {
  readonly tool: string;
  readonly field: string;
  /** The other arguments of a call that would succeed; `movable.txt` and `spare/` are there. */
  readonly others: object;
  /** A symlink at the end of the path is followed; otherwise it is meant itself. */
  readonly follows: boolean;
}

const FIELDS: readonly Field[] = [
  { tool: 'list_dir', field: 'dir', others: { recursive: true }, follows: true },
  { tool: 'read_file', field: 'file', others: {}, follows: true },
  { tool: 'edit_file', field: 'file', others: { find: 'e', replace: 'x', replaceAll: true }, follows: true },
  { tool: 'write_file', field: 'file', others: { content: 'overwritten' }, follows: true },
  { tool: 'delete_file', field: 'path', others: { recursive: true }, follows: false },
  { tool: 'move_file', field: 'from', others: { to: 'elsewhere', overwrite: true }, follows: false },
  { tool: 'move_file', field: 'to', others: { from: 'movable.txt', overwrite: true }, follows: false },
  { tool: 'mkdir', field: 'dir', others: {}, follows: true },
  {
    tool: 'run_command',
    field: 'cwd',
    others: { command: 'node', args: ['-p', 'process.cwd()'] },
    follows: true,
  },
];

/** Puts a symlink to the outside in the place of `folder`, and the folder back, as fast as it can. */
const SWAPPER = `
  const { renameSync, rmSync, symlinkSync, unlinkSync } = require('node:fs');
  const [folder, target] = process.argv.slice(1);
  process.chdir(folder);
  // The server may have made a folder of its own meanwhile: then a step fails, and the next round goes on.
  const attempt = (step) => { try { step(); } catch {} };
  for (;;) {
    attempt(() => renameSync('folder', 'aside'));
    attempt(() => symlinkSync(target, 'folder'));
    attempt(() => unlinkSync('folder'));
    attempt(() => rmSync('folder', { recursive: true, force: true }));
    attempt(() => renameSync('aside', 'folder'));
  }`;

const named = FIELDS.map((field) => ({ ...field, name: `${field.field} of ${field.tool}` }));

const REFUSED: readonly [path: string, problem: string][] = [
  ['/etc/passwd', 'is absolute'],
  ['/', 'is absolute'],
  ['//etc/passwd', 'is absolute'],
  ['C:\\Windows', 'is absolute'],
  ['c:/Windows', 'is absolute'],
  ['\\\\server\\share', 'is absolute'],
  ['..', 'contains a .. segment'],
  ['../', 'contains a .. segment'],
  ['../x', 'contains a .. segment'],
  ['spare/..', 'contains a .. segment'],
  ['spare/../spare', 'contains a .. segment'],
  ['./../x', 'contains a .. segment'],
  ['workspace/../secret', 'contains a .. segment'],
  ['spare/../../x', 'contains a .. segment'],
  ['spare\\x', 'contains a backslash'],
  ['..\\x', 'contains a backslash'],
  ['spare/..\\..\\x', 'contains a backslash'],
  ['spare\0x', 'contains a NUL character'],
  ['\0', 'contains a NUL character'],
  ['movable.txt\0.png', 'contains a NUL character'],
  ['spare\nx', 'contains a control character'],
  ['spare\tx', 'contains a control character'],
  ['\u001b[31m', 'contains a control character'],
  ['spare\u007fx', 'contains a control character'],
  ['spare\u0085x', 'contains a control character'],
  ['', 'is empty'],
  ['half\ud800', 'contains half of a surrogate pair'],
];

eachWay('a path', {}, (stage) => {
  beforeAll(() => {
    stage.workspace.write('movable.txt', 'here');
  });

  it('is relative to the workspace, without `..`, on every field [workspace.path.relative, workspace.path.absolute, workspace.path.dotdot]', async () => {
    const before = treeOf(stage.workspace.root);
    for (const { tool, field, others } of FIELDS)
      for (const [path, problem] of [
        ['/etc/passwd', 'is absolute'],
        ['spare/../../x', 'contains a .. segment'],
      ] as const)
        expect(await ask(stage.client, tool, { ...others, [field]: path })).toEqual(invalidPath(path, problem));
    expect(treeOf(stage.workspace.root)).toEqual(before);
  });
});

eachWay(
  'a path',
  {},
  (stage) => {
    const outside = makeWorkspace();
    afterAll(() => outside.remove());
    const call = ({ tool, field, others }: Field, path: string) =>
      ask(stage.client, tool, { ...others, [field]: path });
    const everything = () => ({ workspace: treeOf(stage.workspace.root), outside: treeOf(outside.root) });

    beforeAll(() => {
      stage.workspace.write('movable.txt', 'here');
      mkdirSync(stage.workspace.path('spare'));
      outside.write('secret.txt', 'secret');
      outside.write('folder/inner.txt', 'secret too');
    });

    describe('as it is written', () => {
      it.each(named)(
        'is refused as $name: absolute, `..`, backslash, NUL, control characters, empty [workspace.path.absolute, workspace.path.dotdot, workspace.path.characters, workspace.path.empty]',
        async (field) => {
          const before = everything();
          for (const [path, problem] of REFUSED) expect(await call(field, path)).toEqual(invalidPath(path, problem));
          expect(everything()).toEqual(before);
        },
      );

      it.each(named)('is too long for the file system as $name [workspace.path.long]', async (field) => {
        const before = everything();
        for (const path of ['n'.repeat(256), `new/${'é'.repeat(128)}`])
          expect(await call(field, path)).toEqual(
            field.tool === 'mkdir' || field.tool === 'write_file' || field.field === 'to' || !path.startsWith('new/')
              ? invalidPath(path, 'a name in it is too long for the file system')
              : expect.objectContaining({ error: expect.objectContaining({ code: 'NOT_FOUND' }) }),
          );
        expect(everything()).toEqual(before);
      });

      it.each(named)('is too long for any system as $name [workspace.path.long]', async (field) => {
        const cut = `${'n/'.repeat(16_383)}…`;
        const problem = 'is longer than 32767 characters';
        expect(await call(field, 'n/'.repeat(16_384))).toEqual(invalidPath(cut, problem));
        const deep = 'n/'.repeat(257);
        expect(await call(field, deep)).toEqual(invalidPath(deep, 'has more than 256 names'));
      });

      it('may be long as long as each name is not [workspace.path.long]', async () => {
        const file = `long/${Array(200).fill('directory-of-some-length').join('/')}/${'f'.repeat(255)}`;
        expect(file.length).toBeGreaterThan(5000);
        expect(await ask(stage.client, 'write_file', { file, content: 'deep' })).toEqual(
          success({ file, bytesWritten: 4 }),
        );
        expect(await ask(stage.client, 'read_file', { file })).toEqual(success({ file, content: 'deep', bytes: 4 }));
        expect((await ask(stage.client, 'list_dir', { dir: 'long', recursive: true })).data).toMatchObject({
          truncated: false,
        });
        expect(await ask(stage.client, 'delete_file', { path: 'long', recursive: true })).toEqual(
          success({ path: 'long', deletedType: 'dir' }),
        );
      });
    });

    describe('`workspace/` in front', () => {
      const spellings = ['workspace/ws/x', 'workspace/workspace/ws/x', './workspace/./workspace//ws/x'];

      it.each(spellings)('%s means ws/x for every tool [workspace.path.workspace-prefix]', async (path) => {
        stage.workspace.write('ws/here', '');
        const answers: Record<string, Envelope> = {};
        const step = async (tool: string, args: object) => {
          answers[tool] = await ask(stage.client, tool, args);
        };
        await step('write_file', { file: path, content: 'one' });
        await step('read_file', { file: path });
        await step('edit_file', { file: path, find: 'one', replace: 'two' });
        await step('list_dir', { dir: path.slice(0, -2) });
        await step('move_file', { from: path, to: `${path}.moved` });
        await step('delete_file', { path: `${path}.moved` });
        await step('mkdir', { dir: path });
        await step('run_command', { command: 'node', args: ['-e', ''], cwd: path });
        expect(answers).toEqual({
          write_file: success({ file: 'ws/x', bytesWritten: 3 }),
          read_file: success({ file: 'ws/x', content: 'one', bytes: 3 }),
          edit_file: success({ file: 'ws/x', replacements: 1 }),
          list_dir: success({
            dir: 'ws',
            entries: [
              { path: 'ws/here', type: 'file', size: 0 },
              { path: 'ws/x', type: 'file', size: 3 },
            ],
            truncated: false,
          }),
          move_file: success({ from: 'ws/x', to: 'ws/x.moved', overwritten: false }),
          delete_file: success({ path: 'ws/x.moved', deletedType: 'file' }),
          mkdir: success({ dir: 'ws/x', created: true }),
          run_command: expect.objectContaining({ ok: true, data: expect.objectContaining({ cwd: 'ws/x' }) }),
        });
        await ask(stage.client, 'delete_file', { path: 'ws/x' });
      });

      it('is taken off the front only, and only as a whole name [workspace.path.workspace-prefix]', async () => {
        for (const file of ['sub/workspace/x', 'workspaces/x', 'Workspace/x', 'workspace.txt'])
          expect(await ask(stage.client, 'write_file', { file, content: '' })).toEqual(
            success({ file, bytesWritten: 0 }),
          );
        expect(lstatSync(stage.workspace.path('sub/workspace/x')).isFile()).toBe(true);
      });
    });

    describe('that only looks dangerous is a name like any other', () => {
      it.each([
        ['%2e%2e/%2e%2e/x', '%2e%2e/%2e%2e/x'],
        ['..%2fx', '..%2fx'],
        ['~', '~'],
        ['~root/x', '~root/x'],
        ['....//x', '..../x'],
        ['...', '...'],
        ['.. /x', '.. /x'],
        ['--output=x', '--output=x'],
        ['-rf', '-rf'],
        ['$HOME/`id`', '$HOME/`id`'],
        ['*', '*'],
        [' ', ' '],
        ['a b; c & d | e', 'a b; c & d | e'],
        ['C:x', 'C:x'],
        ['file:', 'file:'],
        ['CON', 'CON'],
        ['日本語/😀.txt', '日本語/😀.txt'],
        ['caf\u00e9', 'caf\u00e9'],
        ['cafe\u0301', 'cafe\u0301'],
        ['\u202egnp.exe', '\u202egnp.exe'],
        ['__proto__', '__proto__'],
      ])('%j [workspace.path.plain-names]', async (path, shown) => {
        const client = stage.client;
        expect(await ask(client, 'write_file', { file: path, content: 'one' })).toEqual(
          success({ file: shown, bytesWritten: 3 }),
        );
        expect(stage.workspace.read(shown)).toBe('one');
        expect(await ask(client, 'edit_file', { file: path, find: 'one', replace: 'two' })).toEqual(
          success({ file: shown, replacements: 1 }),
        );
        expect(await ask(client, 'read_file', { file: path })).toEqual(
          success({ file: shown, content: 'two', bytes: 3 }),
        );
        expect(await ask(client, 'move_file', { from: path, to: `moved/${path}` })).toEqual(
          success({ from: shown, to: `moved/${shown}`, overwritten: false }),
        );
        expect((await ask(client, 'list_dir', { dir: 'moved', recursive: true })).data?.entries).toContainEqual({
          path: `moved/${shown}`,
          type: 'file',
          size: 3,
        });
        expect(await ask(client, 'delete_file', { path: `moved/${path}` })).toEqual(
          success({ path: `moved/${shown}`, deletedType: 'file' }),
        );
        await ask(client, 'delete_file', { path: 'moved', recursive: true });
      });
    });

    describe('with a slash at the end', () => {
      it('means a directory: no file is reached by it [workspace.path.trailing-slash]', async () => {
        const before = everything();
        const codes: Record<string, string | undefined> = {};
        for (const field of FIELDS)
          codes[`${field.tool}.${field.field}`] = (await call(field, 'movable.txt/')).error?.code;
        expect(codes).toEqual({
          'list_dir.dir': 'NOT_DIRECTORY',
          'read_file.file': 'NOT_FILE',
          'edit_file.file': 'NOT_FILE',
          'write_file.file': 'INVALID_PATH',
          'delete_file.path': 'INVALID_PATH',
          'move_file.from': 'INVALID_PATH',
          'move_file.to': 'INVALID_PATH',
          'mkdir.dir': 'ALREADY_EXISTS',
          'run_command.cwd': 'NOT_DIRECTORY',
        });
        expect(everything()).toEqual(before);
      });
    });

    describe('through a symlink that leads outside', () => {
      beforeAll(() => {
        mkdirSync(stage.workspace.path('out'));
        const links = {
          file: outside.path('secret.txt'),
          folder: outside.path('folder'),
          relative: join('..', '..', outside.root.split('/').at(-1) ?? '', 'folder'),
          up: '../..',
          root: '/',
          dangling: outside.path('not-there'),
          'dangling-deep': outside.path('not-there/not-there-either'),
          hop: 'folder',
          'back-and-out': 'folder/../secret.txt',
          'back-and-gone': 'folder/../not-there',
          self: '/proc/self/root',
        };
        for (const [name, target] of Object.entries(links)) symlinkSync(target, stage.workspace.path(`out/${name}`));
        symlinkSync('loop', stage.workspace.path('out/loop'));
      });

      it.each(named.filter(({ follows }) => follows))(
        'is refused as $name [workspace.path.symlink-out]',
        async (field) => {
          const before = everything();
          for (const name of ['file', 'folder', 'relative', 'up', 'root', 'hop', 'back-and-out', 'self'])
            expect(await call(field, `out/${name}`)).toEqual(leadsOutside(`out/${name}`));
          expect(everything()).toEqual(before);
        },
      );

      it.each(named.filter(({ follows }) => follows))(
        'is refused as $name also where it dangles or goes round [workspace.path.symlink-dangling]',
        async (field) => {
          const before = everything();
          for (const name of ['dangling', 'dangling-deep', 'back-and-gone'])
            expect(await call(field, `out/${name}`)).toEqual(leadsOutside(`out/${name}`));
          expect(await call(field, 'out/loop')).toEqual(leadsOutside('out/loop', 'its symbolic links form a loop'));
          expect(everything()).toEqual(before);
        },
      );

      it.each(named)('is refused in the middle of $name [workspace.path.symlink-middle]', async (field) => {
        const before = everything();
        for (const path of [
          'out/folder/inner.txt',
          'out/folder/new/deep',
          'out/relative/inner.txt',
          'out/hop/inner.txt',
          'out/up/x',
          `out/root${outside.root}/secret.txt`,
          'out/dangling/x',
          'out/file/x',
        ])
          expect(await call(field, path)).toEqual(leadsOutside(path));
        expect(everything()).toEqual(before);
      });
    });

    describe('through a symlink that stays inside', () => {
      beforeAll(() => {
        stage.workspace.write('real/file.txt', 'one');
        mkdirSync(stage.workspace.path('real/sub'));
        mkdirSync(stage.workspace.path('in'));
        symlinkSync('../real/file.txt', stage.workspace.path('in/file'));
        symlinkSync('../real', stage.workspace.path('in/folder'));
        symlinkSync(stage.workspace.path('real'), stage.workspace.path('in/absolute'));
        symlinkSync('folder', stage.workspace.path('in/hop'));
        symlinkSync('../real/new.txt', stage.workspace.path('in/dangling'));
        symlinkSync('../real/sub', stage.workspace.path('in/deep'));
        symlinkSync('deep/../file.txt', stage.workspace.path('in/back'));
      });

      it.each(['in/file', 'in/folder/file.txt', 'in/absolute/file.txt', 'in/hop/file.txt', 'in/back'])(
        '%s is read, edited and written, and stays a symlink [workspace.path.symlink-inside]',
        async (file) => {
          stage.workspace.write('real/file.txt', 'one');
          expect(await ask(stage.client, 'read_file', { file })).toEqual(success({ file, content: 'one', bytes: 3 }));
          expect(await ask(stage.client, 'edit_file', { file, find: 'one', replace: 'two' })).toEqual(
            success({ file, replacements: 1 }),
          );
          expect(stage.workspace.read('real/file.txt')).toBe('two');
          expect(await ask(stage.client, 'write_file', { file, content: 'three' })).toEqual(
            success({ file, bytesWritten: 5 }),
          );
          expect(stage.workspace.read('real/file.txt')).toBe('three');
          expect(readlinkSync(stage.workspace.path('in/file'))).toBe('../real/file.txt');
        },
      );

      it('a dangling one is not found, and written through [workspace.path.symlink-inside]', async () => {
        expect((await ask(stage.client, 'read_file', { file: 'in/dangling' })).error?.code).toBe('NOT_FOUND');
        expect(await ask(stage.client, 'write_file', { file: 'in/dangling', content: 'new' })).toMatchObject({
          ok: true,
        });
        expect(stage.workspace.read('real/new.txt')).toBe('new');
        expect(readlinkSync(stage.workspace.path('in/dangling'))).toBe('../real/new.txt');
        await ask(stage.client, 'delete_file', { path: 'real/new.txt' });
      });

      it('a directory is listed, entered, filled and emptied [workspace.path.symlink-inside]', async () => {
        const { client, workspace } = stage;
        expect((await ask(client, 'list_dir', { dir: 'in/hop' })).data?.entries).toEqual([
          { path: 'in/hop/file.txt', type: 'file', size: expect.any(Number) },
          { path: 'in/hop/sub', type: 'dir' },
        ]);
        const { data } = await ask(client, 'run_command', {
          command: 'node',
          args: ['-p', 'process.cwd()'],
          cwd: 'in/absolute',
        });
        expect([data?.cwd, data?.stdout]).toEqual(['in/absolute', `${workspace.path('real')}\n`]);
        expect(await ask(client, 'mkdir', { dir: 'in/folder/made' })).toMatchObject({ data: { created: true } });
        expect(await ask(client, 'move_file', { from: 'in/folder/made', to: 'in/hop/renamed' })).toMatchObject({
          ok: true,
        });
        expect(await ask(client, 'delete_file', { path: 'in/absolute/renamed' })).toMatchObject({ ok: true });
        expect(Object.keys(treeOf(workspace.path('real'))).sort()).toEqual(['file.txt', 'sub']);
      });
    });

    it('is not led outside by a directory that turns into a symlink again and again [workspace.path.swapped]', async () => {
      stage.workspace.write('swap/folder/secret.txt', 'inside');
      outside.write('target/secret.txt', 'outside');
      const swapper = spawn(process.execPath, ['-e', SWAPPER, stage.workspace.path('swap'), outside.path('target')]);
      const seen = new Set<unknown>();
      try {
        for (let round = 0; round < 80; round++) {
          const file = 'swap/folder/secret.txt';
          const answers = await Promise.all([
            ask(stage.client, 'read_file', { file }),
            ask(stage.client, 'write_file', { file, content: 'inside' }),
            ask(stage.client, 'edit_file', { file, find: 'outside', replace: 'edited' }),
            ask(stage.client, 'write_file', { file: `swap/folder/new-${round}/file`, content: '' }),
            ask(stage.client, 'delete_file', { path: `swap/folder/new-${round}`, recursive: true }),
          ]);
          seen.add(answers[0].data?.content ?? answers[0].error?.code);
        }
        expect(swapper.exitCode).toBe(null);
      } finally {
        swapper.kill('SIGKILL');
      }
      expect([...seen].filter((one) => !['inside', 'INVALID_PATH', 'NOT_FOUND'].includes(String(one)))).toEqual([]);
      expect(seen.has('inside')).toBe(true);
      expect(treeOf(outside.path('target'))).toEqual({ 'secret.txt': 'outside' });
    });

    it('leads to the same files where the workspace itself is given by a symlink [workspace.path.root-symlink]', async () => {
      const root = outside.path('door');
      symlinkSync(stage.workspace.root, root);
      const client = await openClient({ door: 'stdio', era: 'legacy' }, { root });
      try {
        stage.workspace.write('through.txt', 'seen');
        symlinkSync(join(root, 'through.txt'), stage.workspace.path('by-given-name'));
        for (const file of ['through.txt', 'by-given-name'])
          expect(await ask(client, 'read_file', { file })).toEqual(success({ file, content: 'seen', bytes: 4 }));
        expect(await ask(client, 'read_file', { file: 'out/file' })).toEqual(leadsOutside('out/file'));
      } finally {
        await client.close();
      }
    });

    it('is shown in short form in answers and details [workspace.path.shown, workspace.details]', async () => {
      expect(await ask(stage.client, 'read_file', { file: './/workspace/./spare//gone.txt' })).toEqual(
        failure('NOT_FOUND', 'File not found: spare/gone.txt', { kind: 'file_not_found', path: 'spare/gone.txt' }),
      );
    });
  },
  ONE_WAY,
);
