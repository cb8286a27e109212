import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
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

const noParent = (path: string, parent: string) =>
  failure('NOT_FOUND', `Parent directory does not exist: ${parent}`, { kind: 'parent_not_found', path, parent });

const taken = (path: string, found: string) =>
  failure('ALREADY_EXISTS', `${path} already exists and is ${found}`, { kind: 'already_exists', path, found });

eachWay('mkdir', {}, (stage) => {
  const make = (args: object) => ask(stage.client, 'mkdir', args);

  it('publishes the schemas of the contract [workspace.mkdir.input, workspace.mkdir.output]', async () => {
    expect(await schemasOf(stage.client, 'mkdir')).toEqual({
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['dir'],
        properties: { dir: { type: 'string' }, recursive: { type: 'boolean', default: true } },
      },
      output: envelopeSchema({ dir: { type: 'string' }, created: { type: 'boolean' } }),
    });
  });

  it('creates a directory and those above it [workspace.mkdir.manual.1]', async () => {
    expect(await make({ dir: 'src/components', recursive: true })).toEqual(
      success({ dir: 'src/components', created: true }),
    );
    expect(treeOf(stage.workspace.root)).toEqual({ src: '(directory)', 'src/components': '(directory)' });
  });

  it('refuses to climb [workspace.mkdir.manual.2, workspace.mkdir.error.INVALID_PATH, workspace.mkdir.security.root]', async () => {
    expect(await make({ dir: '../outside' })).toEqual(invalidPath('../outside', 'contains a .. segment'));
  });

  it('is content with a directory that is there [workspace.mkdir.there-already]', async () => {
    for (const args of [{ dir: 'src' }, { dir: 'src', recursive: false }, { dir: '.' }])
      expect(await make(args)).toEqual(success({ dir: args.dir, created: false }));
  });

  it('says that a file is there [workspace.mkdir.error.ALREADY_EXISTS]', async () => {
    stage.workspace.write('plain.txt', 'x');
    for (const recursive of [true, false])
      expect(await make({ dir: 'plain.txt', recursive })).toEqual(taken('plain.txt', 'a file'));
  });

  it('creates no parent unless it may [workspace.mkdir.error.NOT_FOUND]', async () => {
    expect(await make({ dir: 'gone/deep/er', recursive: false })).toEqual(noParent('gone/deep/er', 'gone/deep'));
    expect(treeOf(stage.workspace.root)).not.toHaveProperty('gone');
  });

  it('names the parameter that is wrong [workspace.mkdir.error.VALIDATION_ERROR]', async () => {
    expect(await make({ recursive: true })).toEqual(invalid('dir', 'is missing; expected a string'));
    expect(await make({ dir: 'a', recursive: 0 })).toEqual(invalid('recursive', 'must be a boolean, not 0'));
    expect(await make({ dir: 'a', mode: 511 })).toEqual(
      invalid('mode', 'is not a parameter here; expected: dir, recursive', { expected: 'dir, recursive' }),
    );
  });
});

eachWay(
  'mkdir',
  {},
  (stage) => {
    const make = (args: object) => ask(stage.client, 'mkdir', args);

    it('creates parents by default [workspace.mkdir.defaults]', async () => {
      expect(await make({ dir: 'by/default' })).toEqual(success({ dir: 'by/default', created: true }));
      expect(await make({ dir: 'by/hand', recursive: false })).toEqual(success({ dir: 'by/hand', created: true }));
      expect(await make({ dir: 'by/slash/' })).toEqual(success({ dir: 'by/slash', created: true }));
    });

    it('leaves no directory behind when it fails [workspace.mkdir.failed-changes-nothing]', async () => {
      const before = treeOf(stage.workspace.root);
      const long = `half/way/${'x'.repeat(256)}`;
      expect(await make({ dir: long })).toEqual(invalidPath(long, 'a name in it is too long for the file system'));
      expect(await make({ dir: `half/${'x'.repeat(256)}/way` })).toMatchObject({ ok: false });
      expect(await make({ dir: `${'far/'.repeat(100)}${'x'.repeat(256)}` })).toMatchObject({ ok: false });
      expect(treeOf(stage.workspace.root)).toEqual(before);
    });

    it('makes a long way, also through a link, and says where a file is in it [workspace.mkdir.defaults]', async () => {
      mkdirSync(stage.workspace.path('far'));
      symlinkSync('far', stage.workspace.path('to-far'));
      const way = (first: string, names: number) => `${first}${'/d'.repeat(names)}`;
      expect(await make({ dir: way('to-far', 200) })).toEqual(success({ dir: way('to-far', 200), created: true }));
      expect(existsSync(stage.workspace.path(way('far', 200)))).toBe(true);
      stage.workspace.write(way('far', 100).concat('/file'), 'x');
      const blocked = `${way('far', 100)}/file${'/d'.repeat(100)}`;
      expect(await make({ dir: blocked })).toEqual(noParent(blocked, blocked.slice(0, -2)));
    });

    it('does not go through a file [workspace.mkdir.error.NOT_FOUND]', async () => {
      stage.workspace.write('file.txt', 'x');
      for (const recursive of [true, false])
        expect(await make({ dir: 'file.txt/deep', recursive })).toEqual(noParent('file.txt/deep', 'file.txt'));
    });

    it('takes a symlink for what is behind it [workspace.mkdir.there-already, workspace.mkdir.error.ALREADY_EXISTS]', async () => {
      mkdirSync(stage.workspace.path('real'));
      stage.workspace.write('real.txt', 'x');
      symlinkSync('real', stage.workspace.path('to-real'));
      symlinkSync('real.txt', stage.workspace.path('to-file'));
      expect(await make({ dir: 'to-real' })).toEqual(success({ dir: 'to-real', created: false }));
      expect(await make({ dir: 'to-real/new' })).toEqual(success({ dir: 'to-real/new', created: true }));
      expect(await make({ dir: 'to-file' })).toEqual(taken('to-file', 'a file'));
      expect(treeOf(stage.workspace.path('real'))).toEqual({ new: '(directory)' });
    });

    it('of many calls for one directory, one creates it [workspace.mkdir.there-already]', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => make({ dir: 'wanted/by/many' })));
      expect(answers.map(({ data }) => data?.created).sort()).toEqual([...Array(9).fill(false), true]);
    });
  },
  ONE_WAY,
);
