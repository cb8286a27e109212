import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { eachWay } from '../harness/each-way';
import { makeWorkspace } from '../harness/workspace';
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

eachWay('delete_file', {}, (stage) => {
  const remove = (args: object) => ask(stage.client, 'delete_file', args);

  it('publishes the schemas of the contract [workspace.delete.input, workspace.delete.output]', async () => {
    expect(await schemasOf(stage.client, 'delete_file')).toEqual({
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['path'],
        properties: { path: { type: 'string' }, recursive: { type: 'boolean', default: false } },
      },
      output: envelopeSchema({ path: { type: 'string' }, deletedType: { type: 'string', enum: ['file', 'dir'] } }),
    });
  });

  it('deletes a file [workspace.delete.manual.1]', async () => {
    stage.workspace.write('tmp/a.txt', 'x');
    stage.workspace.write('tmp/b.txt', 'y');
    expect(await remove({ path: 'tmp/a.txt' })).toEqual(success({ path: 'tmp/a.txt', deletedType: 'file' }));
    expect(treeOf(stage.workspace.root)).toEqual({ tmp: '(directory)', 'tmp/b.txt': 'y' });
  });

  it('keeps a directory that is not empty [workspace.delete.manual.2, workspace.delete.error.DIRECTORY_NOT_EMPTY, workspace.delete.security.fails-safely]', async () => {
    for (const args of [{ path: 'tmp', recursive: false }, { path: 'tmp' }])
      expect(await remove(args)).toEqual(
        failure('DIRECTORY_NOT_EMPTY', 'tmp has 1 entries; set recursive to delete them too', {
          kind: 'directory_not_empty',
          path: 'tmp',
          entries: 1,
        }),
      );
    expect(treeOf(stage.workspace.root)).toEqual({ tmp: '(directory)', 'tmp/b.txt': 'y' });
  });

  it('refuses to climb [workspace.delete.manual.3, workspace.delete.error.INVALID_PATH, workspace.delete.security.restricted]', async () => {
    expect(await remove({ path: 'workspace/../secret' })).toEqual(
      invalidPath('workspace/../secret', 'contains a .. segment'),
    );
  });

  it('says that nothing is there [workspace.delete.error.NOT_FOUND]', async () => {
    for (const path of ['gone.txt', 'gone/deep.txt', 'tmp/b.txt/deep'])
      expect(await remove({ path })).toEqual(
        failure('NOT_FOUND', `Nothing to delete at ${path}`, { kind: 'file_not_found', path }),
      );
  });

  it('names the parameter that is wrong [workspace.delete.error.VALIDATION_ERROR]', async () => {
    expect(await remove({ path: 'tmp', recursive: 'true' })).toEqual(
      invalid('recursive', 'must be a boolean, not a string'),
    );
    expect(await remove({ path: 'tmp', force: true })).toEqual(
      invalid('force', 'is not a parameter here; expected: path, recursive', { expected: 'path, recursive' }),
    );
    expect(await remove({})).toEqual(invalid('path', 'is missing; expected a string'));
  });

  it('never deletes the workspace itself [workspace.delete.workspace-itself]', async () => {
    for (const path of ['.', 'workspace', './', 'workspace/./workspace/'])
      expect(await remove({ path, recursive: true })).toEqual(
        invalidPath('.', 'the workspace itself cannot be deleted'),
      );
    expect(treeOf(stage.workspace.root)).toEqual({ tmp: '(directory)', 'tmp/b.txt': 'y' });
  });

  it('deletes a whole directory when asked to [workspace.delete.recursive]', async () => {
    stage.workspace.write('tmp/deep/er/c.txt', 'z');
    expect(await remove({ path: 'tmp', recursive: true })).toEqual(success({ path: 'tmp', deletedType: 'dir' }));
    expect(treeOf(stage.workspace.root)).toEqual({});
  });
});

eachWay(
  'delete_file',
  {},
  (stage) => {
    const outside = makeWorkspace({ 'secret.txt': 'kept', 'folder/inner.txt': 'kept too' });
    afterAll(() => outside.remove());
    const remove = (args: object) => ask(stage.client, 'delete_file', args);
    const link = (name: string, target: string) => {
      mkdirSync(stage.workspace.path('links'), { recursive: true });
      symlinkSync(target, stage.workspace.path(name));
    };

    it('deletes an empty directory without being asked for more [workspace.delete.recursive]', async () => {
      mkdirSync(stage.workspace.path('empty'));
      expect(await remove({ path: 'empty/' })).toEqual(success({ path: 'empty', deletedType: 'dir' }));
    });

    it.each([
      ['a file', 'links/to-file', () => outside.path('secret.txt')],
      ['a directory', 'links/to-directory', () => outside.path('folder')],
      ['nothing', 'links/to-nothing', () => '/nowhere/at/all'],
      ['itself', 'links/to-itself', () => 'to-itself'],
    ])(
      'deletes a symlink to %s, which counts as a file, and not its target [workspace.delete.symlink]',
      async (_, name, target) => {
        link(name, target());
        for (const recursive of [false, true]) {
          if (recursive) link(name, target());
          expect(await remove({ path: name, recursive })).toEqual(success({ path: name, deletedType: 'file' }));
        }
        expect(treeOf(stage.workspace.root)).toEqual({ links: '(directory)' });
        expect(treeOf(outside.root)).toEqual({
          'secret.txt': 'kept',
          folder: '(directory)',
          'folder/inner.txt': 'kept too',
        });
      },
    );

    it('deletes the links in a directory and nothing behind them [workspace.delete.symlink, workspace.delete.recursive]', async () => {
      stage.workspace.write('tree/a/b/c.txt', 'x');
      stage.workspace.write('beside.txt', 'stays');
      symlinkSync(outside.path('folder'), stage.workspace.path('tree/a/out'));
      symlinkSync(outside.path('secret.txt'), stage.workspace.path('tree/a/b/out.txt'));
      symlinkSync('../..', stage.workspace.path('tree/a/up'));
      expect(await remove({ path: 'tree', recursive: true })).toEqual(success({ path: 'tree', deletedType: 'dir' }));
      expect(treeOf(stage.workspace.root)).toEqual({ links: '(directory)', 'beside.txt': 'stays' });
      expect(readFileSync(outside.path('folder/inner.txt'), 'utf8')).toBe('kept too');
    });

    it('does not take a link with a slash for the directory behind it [workspace.delete.symlink]', async () => {
      stage.workspace.write('behind/file.txt', 'stays');
      link('links/slash', '../behind');
      expect(await remove({ path: 'links/slash/', recursive: true })).toEqual(
        invalidPath('links/slash', 'it ends with a slash, but is not a directory'),
      );
      expect(stage.workspace.read('behind/file.txt')).toBe('stays');
    });

    it('deletes a pipe like a file [workspace.delete.manual.1]', async () => {
      execFileSync('mkfifo', [stage.workspace.path('pipe')]);
      expect(await remove({ path: 'pipe' })).toEqual(success({ path: 'pipe', deletedType: 'file' }));
    });

    it('of many calls for one file, one deletes it [workspace.delete.error.NOT_FOUND]', async () => {
      stage.workspace.write('once.txt', 'x');
      const answers = await Promise.all(Array.from({ length: 10 }, () => remove({ path: 'once.txt' })));
      expect(answers.map((answer) => answer.error?.code ?? 'ok').sort()).toEqual([...Array(9).fill('NOT_FOUND'), 'ok']);
    });
  },
  ONE_WAY,
);
