import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eachWay } from '../harness/each-way';
import { ask, envelopeSchema, failure, invalid, invalidPath, ONE_WAY, schemasOf, success } from './workspace-envelope';

eachWay('list_dir', {}, (stage) => {
  const list = (args: object) => ask(stage.client, 'list_dir', args);

  it('publishes the schemas of the contract [workspace.list.input, workspace.list.output]', async () => {
    expect(await schemasOf(stage.client, 'list_dir')).toEqual({
      input: {
        type: 'object',
        additionalProperties: false,
        properties: {
          dir: { type: 'string', default: '.' },
          recursive: { type: 'boolean', default: false },
          maxEntries: { type: 'integer', minimum: 1, maximum: 2000, default: 500 },
        },
      },
      output: envelopeSchema({
        dir: { type: 'string' },
        entries: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              path: { type: 'string' },
              type: { type: 'string', enum: ['file', 'dir', 'symlink'] },
              size: { type: 'integer' },
            },
            required: ['path', 'type'],
          },
        },
        truncated: { type: 'boolean' },
      }),
    });
  });

  it('gives the entries of the workspace [workspace.list.manual.1, workspace.envelope.success]', async () => {
    stage.workspace.write('notes.txt', 'twelve bytes');
    stage.workspace.write('src/main.ts', '');
    symlinkSync('notes.txt', stage.workspace.path('shortcut'));
    expect(await list({ dir: '.', recursive: false })).toEqual(
      success({
        dir: '.',
        entries: [
          { path: 'notes.txt', type: 'file', size: 12 },
          { path: 'shortcut', type: 'symlink' },
          { path: 'src', type: 'dir' },
        ],
        truncated: false,
      }),
    );
  });

  it('refuses to climb [workspace.list.manual.2, workspace.list.error.INVALID_PATH, workspace.list.security.traversal]', async () => {
    expect(await list({ dir: '../' })).toEqual(invalidPath('../', 'contains a .. segment'));
  });

  it('takes workspace/workspace for the workspace itself [workspace.list.manual.3]', async () => {
    expect(await list({ dir: 'workspace/workspace' })).toEqual(await list({ dir: '.' }));
    expect(await list({ dir: 'workspace/workspace' })).toMatchObject({ ok: true, data: { dir: '.' } });
  });

  it('needs no argument [workspace.list.defaults]', async () => {
    expect(await list({})).toEqual(await list({ dir: '.', recursive: false, maxEntries: 500 }));
  });

  it('says that the directory is not there [workspace.list.error.NOT_FOUND, workspace.envelope.failure]', async () => {
    expect(await list({ dir: 'workspace/gone/deep' })).toEqual(
      failure('NOT_FOUND', 'Directory not found: gone/deep', { kind: 'directory_not_found', path: 'gone/deep' }),
    );
  });

  it('says that a file is no directory [workspace.list.error.NOT_DIRECTORY]', async () => {
    const refusal = failure('NOT_DIRECTORY', 'notes.txt is not a directory but a file', {
      kind: 'not_a_directory',
      path: 'notes.txt',
      found: 'a file',
    });
    expect(await list({ dir: 'notes.txt' })).toEqual(refusal);
    expect(await list({ dir: 'notes.txt/' })).toEqual(refusal);
    expect(await list({ dir: 'shortcut' })).toMatchObject({ ok: false, error: { code: 'NOT_DIRECTORY' } });
  });

  it('names the parameter that is wrong [workspace.list.error.VALIDATION_ERROR]', async () => {
    expect(await list({ maxEntries: 0 })).toEqual(invalid('maxEntries', 'must be >= 1: 0'));
    expect(await list({ dir: '.', depth: 3 })).toEqual(
      invalid('depth', 'is not a parameter here; expected: dir, recursive, maxEntries', {
        expected: 'dir, recursive, maxEntries',
      }),
    );
  });
});

eachWay(
  'list_dir',
  {},
  (stage) => {
    const list = (args: object) => ask(stage.client, 'list_dir', args);
    const paths = async (args: object) => {
      const { entries, truncated } = (await list(args)).data as { entries: { path: string }[]; truncated: boolean };
      return { paths: entries.map(({ path }) => path), truncated };
    };
    const fill = (...names: string[]) => {
      for (const name of names)
        if (name.endsWith('/')) mkdirSync(stage.workspace.path(name), { recursive: true });
        else stage.workspace.write(name, '');
    };

    describe('the order', () => {
      it('is bytewise by whole path, which walks depth first [workspace.list.sorted, workspace.list.depth-first]', async () => {
        fill('order/a/b', 'order/a.txt', 'order/a-b', 'order/a/b.d/c', 'order/B', 'order/aa', 'order/a0');
        expect(await paths({ dir: 'order', recursive: true })).toEqual({
          paths: [
            'order/B',
            'order/a',
            'order/a-b',
            'order/a.txt',
            'order/a/b',
            'order/a/b.d',
            'order/a/b.d/c',
            'order/a0',
            'order/aa',
          ],
          truncated: false,
        });
        expect((await paths({ dir: 'order' })).paths).toEqual(
          ['B', 'a', 'a-b', 'a.txt', 'a0', 'aa'].map((name) => `order/${name}`),
        );
      });

      it('is that of the bytes in UTF-8, not of UTF-16 units [workspace.list.sorted]', async () => {
        fill('wide/\u{1f600}', 'wide/\uff5e', 'wide/é', 'wide/z', 'wide/\ue000/x', 'wide/\u{10ffff}');
        expect((await paths({ dir: 'wide', recursive: true })).paths).toEqual(
          ['z', 'é', '\ue000', '\ue000/x', '\uff5e', '\u{1f600}', '\u{10ffff}'].map((name) => `wide/${name}`),
        );
      });
    });

    describe('maxEntries', () => {
      it('is reached without being passed: nothing is cut [workspace.list.max-entries]', async () => {
        fill('few/a/1', 'few/b/2', 'few/c/');
        const all = ['few/a', 'few/a/1', 'few/b', 'few/b/2', 'few/c'];
        expect(await paths({ dir: 'few', recursive: true, maxEntries: 5 })).toEqual({ paths: all, truncated: false });
        for (let most = 1; most < all.length; most++)
          expect(await paths({ dir: 'few', recursive: true, maxEntries: most })).toEqual({
            paths: all.slice(0, most),
            truncated: true,
          });
      });

      it('is 500 by default and at most 2000 [workspace.list.defaults, workspace.list.security.bounded]', async () => {
        fill(...Array.from({ length: 2001 }, (_, at) => `many/${String(at).padStart(4, '0')}`));
        const [byDefault, most] = [await paths({ dir: 'many' }), await paths({ dir: 'many', maxEntries: 2000 })];
        expect([byDefault.paths.length, byDefault.paths.at(-1), byDefault.truncated]).toEqual([500, 'many/0499', true]);
        expect([most.paths.length, most.paths.at(-1), most.truncated]).toEqual([2000, 'many/1999', true]);
      });

      it.each([
        [2001, 'must be <= 2000: 2001'],
        [-1, 'must be >= 1: -1'],
        [1.5, 'must be an integer, not 1.5'],
        ['5', 'must be an integer, not a string'],
        [null, 'must be an integer, not null'],
      ])('is not %j [workspace.list.error.VALIDATION_ERROR]', async (maxEntries, problem) => {
        expect(await list({ maxEntries })).toEqual(invalid('maxEntries', problem));
      });
    });

    describe('the entries', () => {
      it('show symlinks and never what is behind them [workspace.list.symlinks]', async () => {
        fill('links/real/file');
        symlinkSync('real', stage.workspace.path('links/inside'));
        symlinkSync('/etc', stage.workspace.path('links/outside'));
        symlinkSync('nowhere', stage.workspace.path('links/dangling'));
        symlinkSync('..', stage.workspace.path('links/round'));
        expect(await list({ dir: 'links', recursive: true })).toEqual(
          success({
            dir: 'links',
            entries: [
              { path: 'links/dangling', type: 'symlink' },
              { path: 'links/inside', type: 'symlink' },
              { path: 'links/outside', type: 'symlink' },
              { path: 'links/real', type: 'dir' },
              { path: 'links/real/file', type: 'file', size: 0 },
              { path: 'links/round', type: 'symlink' },
            ],
            truncated: false,
          }),
        );
      });

      it('carry the size in bytes for files only [workspace.list.size]', async () => {
        stage.workspace.write('sizes/four.txt', 'éab');
        stage.workspace.write('sizes/none', '');
        mkdirSync(stage.workspace.path('sizes/folder'));
        execFileSync('mkfifo', [stage.workspace.path('sizes/pipe')]);
        expect((await list({ dir: 'sizes' })).data?.entries).toEqual([
          { path: 'sizes/folder', type: 'dir' },
          { path: 'sizes/four.txt', type: 'file', size: 4 },
          { path: 'sizes/none', type: 'file', size: 0 },
          { path: 'sizes/pipe', type: 'file', size: 0 },
        ]);
      });

      it('include hidden files, but not our temporary ones [workspace.list.temporaries]', async () => {
        fill('hidden/.git/config', 'hidden/.env', 'hidden/.tenon-0123456789ab.tmp', 'hidden/.tenon-notes.tmp');
        expect((await paths({ dir: 'hidden', recursive: true })).paths).toEqual(
          ['.env', '.git', '.git/config', '.tenon-notes.tmp'].map((name) => `hidden/${name}`),
        );
      });

      it('are named as the directory was [workspace.list.named]', async () => {
        fill('target/x/y');
        symlinkSync('target', stage.workspace.path('alias'));
        expect((await paths({ dir: 'alias', recursive: true })).paths).toEqual(['alias/x', 'alias/x/y']);
        expect((await paths({ dir: './target//x/.' })).paths).toEqual(['target/x/y']);
      });

      it('are those of now, also in a directory that was listed before [workspace.list.now]', async () => {
        const names = Array.from({ length: 80 }, (_, at) => `now/${at + 10}`);
        fill(...names);
        // Long enough for what is listed then to be remembered.
        await wait(300);
        expect((await paths({ dir: 'now' })).paths).toEqual(names);
        stage.workspace.write('now/10', 'longer');
        rmSync(stage.workspace.path('now/11'));
        fill('now/12a');
        const { entries } = (await list({ dir: 'now', maxEntries: 4 })).data as { entries: object[] };
        expect(entries).toEqual([
          { path: 'now/10', type: 'file', size: 6 },
          { path: 'now/12', type: 'file', size: 0 },
          { path: 'now/12a', type: 'file', size: 0 },
          { path: 'now/13', type: 'file', size: 0 },
        ]);
        rmSync(stage.workspace.path('now/12'));
        fill('now/12/');
        expect((await list({ dir: 'now', maxEntries: 2 })).data?.entries).toEqual([
          { path: 'now/10', type: 'file', size: 6 },
          { path: 'now/12', type: 'dir' },
        ]);
      });

      it('are those of now in a large directory that has changed since [workspace.list.now]', async () => {
        const names = Array.from({ length: 1500 }, (_, at) => `crowd/${String(at).padStart(4, '0')}`);
        fill(...names);
        expect((await paths({ dir: 'crowd', maxEntries: 2000 })).paths).toEqual(names);
        // From the third time on that it has changed, another thread reads it, which is up by then.
        fill('crowd/new');
        expect((await paths({ dir: 'crowd', maxEntries: 2000 })).paths).toEqual([...names, 'crowd/new']);
        rmSync(stage.workspace.path('crowd/new'));
        expect((await paths({ dir: 'crowd', maxEntries: 2000 })).paths).toEqual(names);
        await wait(300);
        stage.workspace.write('crowd/0000', 'longer');
        rmSync(stage.workspace.path('crowd/0001'));
        rmSync(stage.workspace.path('crowd/0002'));
        fill('crowd/0002/', 'crowd/0002a', 'crowd/.tenon-0123456789ab.tmp');
        rmSync(stage.workspace.path('crowd/0003'));
        symlinkSync('0004', stage.workspace.path('crowd/0003'));
        const changed = [
          { path: 'crowd/0000', type: 'file', size: 6 },
          { path: 'crowd/0002', type: 'dir' },
          { path: 'crowd/0002a', type: 'file', size: 0 },
          { path: 'crowd/0003', type: 'symlink' },
        ];
        const rest = names.slice(4).map((path) => ({ path, type: 'file', size: 0 }));
        const expected = { dir: 'crowd', entries: [...changed, ...rest], truncated: false };
        for (let round = 0; round < 3; round++)
          expect(await list({ dir: 'crowd', maxEntries: 2000 })).toEqual(success(expected));
        const first = { dir: 'crowd', entries: changed.slice(0, 2), truncated: true };
        expect(await list({ dir: 'crowd', maxEntries: 2 })).toEqual(success(first));
        // What is known of the names alone does not do for a walk.
        expect(await list({ dir: 'crowd', maxEntries: 2000, recursive: true })).toEqual(success(expected));
      });

      it('are none in an empty directory [workspace.list.output]', async () => {
        mkdirSync(stage.workspace.path('empty'));
        expect(await list({ dir: 'empty', recursive: true })).toEqual(
          success({ dir: 'empty', entries: [], truncated: false }),
        );
      });
    });

    it.each([
      [{ dir: 7 }, 'dir', 'must be a string, not 7'],
      [{ dir: null }, 'dir', 'must be a string, not null'],
      [{ dir: ['.'] }, 'dir', 'must be a string, not an array'],
      [{ recursive: 'yes' }, 'recursive', 'must be a boolean, not a string'],
      [{ recursive: 1 }, 'recursive', 'must be a boolean, not 1'],
    ])('refuses %j [workspace.list.error.VALIDATION_ERROR]', async (args, parameter, problem) => {
      expect(await list(args)).toEqual(invalid(parameter, problem));
    });
  },
  ONE_WAY,
);
