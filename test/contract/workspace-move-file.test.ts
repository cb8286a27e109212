import { mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openClient, type TestClient } from '../harness/client';
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

const taken = (path: string, found: string) =>
  failure('ALREADY_EXISTS', `${path} already exists and is ${found}`, { kind: 'already_exists', path, found });

const nothingAt = (path: string) =>
  failure('NOT_FOUND', `Nothing to move at ${path}`, { kind: 'file_not_found', path });

const intoItself = (path: string, to: string) =>
  failure('INVALID_PATH', `Cannot move ${path} into itself: ${to}`, { kind: 'into_itself', path, to });

eachWay('move_file', {}, (stage) => {
  const move = (args: object) => ask(stage.client, 'move_file', args);

  it('publishes the schemas of the contract [workspace.move.input, workspace.move.output]', async () => {
    expect(await schemasOf(stage.client, 'move_file')).toEqual({
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['from', 'to'],
        properties: {
          from: { type: 'string' },
          to: { type: 'string' },
          overwrite: { type: 'boolean', default: false },
        },
      },
      output: envelopeSchema({
        from: { type: 'string' },
        to: { type: 'string' },
        overwritten: { type: 'boolean' },
      }),
    });
  });

  it('moves a file and creates the directories above it [workspace.move.manual.1, workspace.move.parents]', async () => {
    stage.workspace.write('a.txt', 'A');
    expect(await move({ from: 'a.txt', to: 'archive/a.txt' })).toEqual(
      success({ from: 'a.txt', to: 'archive/a.txt', overwritten: false }),
    );
    expect(treeOf(stage.workspace.root)).toEqual({ archive: '(directory)', 'archive/a.txt': 'A' });
  });

  it('replaces nothing unless it may [workspace.move.manual.2, workspace.move.error.ALREADY_EXISTS, workspace.move.security.overwrite-gate]', async () => {
    stage.workspace.write('a.txt', 'new');
    stage.workspace.write('b.txt', 'old');
    for (const more of [{ overwrite: false }, {}])
      expect(await move({ from: 'a.txt', to: 'b.txt', ...more })).toEqual(taken('b.txt', 'a file'));
    expect([stage.workspace.read('a.txt'), stage.workspace.read('b.txt')]).toEqual(['new', 'old']);
  });

  it('refuses an absolute path [workspace.move.manual.3, workspace.move.error.INVALID_PATH, workspace.move.security.both-ends]', async () => {
    expect(await move({ from: '/tmp/a', to: 'x' })).toEqual(invalidPath('/tmp/a', 'is absolute'));
    expect(await move({ from: 'a.txt', to: '/tmp/a' })).toEqual(invalidPath('/tmp/a', 'is absolute'));
  });

  it('replaces a file when asked to [workspace.move.overwrite-file]', async () => {
    expect(await move({ from: 'a.txt', to: 'b.txt', overwrite: true })).toEqual(
      success({ from: 'a.txt', to: 'b.txt', overwritten: true }),
    );
    expect(await move({ from: 'b.txt', to: 'c.txt', overwrite: true })).toEqual(
      success({ from: 'b.txt', to: 'c.txt', overwritten: false }),
    );
    expect(treeOf(stage.workspace.root)).toEqual({
      archive: '(directory)',
      'archive/a.txt': 'A',
      'c.txt': 'new',
    });
  });

  it('says that nothing is there, and creates nothing for it [workspace.move.error.NOT_FOUND, workspace.move.failed-changes-nothing]', async () => {
    const before = treeOf(stage.workspace.root);
    for (const from of ['gone.txt', 'gone/deep.txt', 'c.txt/deep'])
      expect(await move({ from, to: 'made/for/nothing.txt' })).toEqual(nothingAt(from));
    expect(treeOf(stage.workspace.root)).toEqual(before);
  });

  it('refuses a directory into itself, and creates nothing [workspace.move.into-itself, workspace.move.failed-changes-nothing]', async () => {
    const before = treeOf(stage.workspace.root);
    for (const to of ['archive/inner/deeper', 'archive/inner', 'archive'])
      for (const overwrite of [false, true])
        expect(await move({ from: 'archive', to, overwrite })).toEqual(intoItself('archive', to));
    expect(treeOf(stage.workspace.root)).toEqual(before);
  });

  it('names the parameter that is wrong [workspace.move.error.VALIDATION_ERROR]', async () => {
    expect(await move({ from: 'a.txt' })).toEqual(invalid('to', 'is missing; expected a string'));
    expect(await move({ from: 'a.txt', to: 'b.txt', overwrite: 'yes' })).toEqual(
      invalid('overwrite', 'must be a boolean, not a string'),
    );
    expect(await move({ from: 'a.txt', to: 'b.txt', force: true })).toEqual(
      invalid('force', 'is not a parameter here; expected: from, to, overwrite', { expected: 'from, to, overwrite' }),
    );
  });
});

eachWay(
  'move_file',
  {},
  (stage) => {
    const move = (args: object) => ask(stage.client, 'move_file', args);
    const directory = (name: string) => mkdirSync(stage.workspace.path(name), { recursive: true });
    /** Each test has a folder of its own; the tree is that of the folder. */
    const inFolder = (folder: string) => {
      directory(folder);
      return { at: (name: string) => `${folder}/${name}`, tree: () => treeOf(stage.workspace.path(folder)) };
    };

    describe('with overwrite', () => {
      it('a directory replaces an empty one [workspace.move.overwrite-directory]', async () => {
        const { at, tree } = inFolder('empty');
        stage.workspace.write(at('a/x'), 'X');
        directory(at('b'));
        expect(await move({ from: at('a'), to: at('b') })).toEqual(taken(at('b'), 'a directory'));
        expect(await move({ from: at('a'), to: at('b'), overwrite: true })).toEqual(
          success({ from: at('a'), to: at('b'), overwritten: true }),
        );
        expect(tree()).toEqual({ b: '(directory)', 'b/x': 'X' });
      });

      it('a directory that is not empty stays [workspace.move.overwrite-directory]', async () => {
        const { at, tree } = inFolder('full');
        stage.workspace.write(at('a/x'), 'X');
        stage.workspace.write(at('b/y'), 'Y');
        const before = tree();
        expect(await move({ from: at('a'), to: at('b'), overwrite: true })).toEqual(
          failure('DIRECTORY_NOT_EMPTY', 'full/b has 1 entries; only an empty directory can be replaced', {
            kind: 'directory_not_empty',
            path: 'full/b',
            entries: 1,
          }),
        );
        expect(tree()).toEqual(before);
      });

      it('a file never replaces a directory, nor a directory a file [workspace.move.overwrite-kinds]', async () => {
        const { at, tree } = inFolder('kinds');
        stage.workspace.write(at('file'), 'F');
        directory(at('dir'));
        const before = tree();
        for (const overwrite of [false, true]) {
          expect(await move({ from: at('file'), to: at('dir'), overwrite })).toEqual(taken(at('dir'), 'a directory'));
          expect(await move({ from: at('dir'), to: at('file'), overwrite })).toEqual(taken(at('file'), 'a file'));
        }
        expect(tree()).toEqual(before);
      });

      it('a directory above the source is not replaced [workspace.move.overwrite-directory]', async () => {
        const { at, tree } = inFolder('above');
        stage.workspace.write(at('a/b/x'), 'X');
        const before = tree();
        expect(await move({ from: at('a/b'), to: at('a'), overwrite: true })).toMatchObject({
          error: { code: 'DIRECTORY_NOT_EMPTY' },
        });
        expect(await move({ from: at('a'), to: '.', overwrite: true })).toEqual(taken('.', 'a directory'));
        expect(tree()).toEqual(before);
      });

      it('a file onto itself stays [workspace.move.into-itself]', async () => {
        const { at, tree } = inFolder('self');
        stage.workspace.write(at('x'), 'X');
        for (const overwrite of [false, true])
          expect(await move({ from: at('x'), to: `self/./x`, overwrite })).toEqual(intoItself(at('x'), at('x')));
        expect(tree()).toEqual({ x: 'X' });
      });
    });

    describe('the workspace and its links', () => {
      it('the workspace itself cannot be moved [workspace.move.workspace-itself]', async () => {
        for (const from of ['.', 'workspace', 'workspace/./'])
          expect(await move({ from, to: 'elsewhere' })).toEqual(
            invalidPath('.', 'the workspace itself cannot be moved'),
          );
      });

      it('a symlink is moved itself, wherever it leads [workspace.move.symlink]', async () => {
        const { at, tree } = inFolder('links');
        stage.workspace.write(at('target'), 'T');
        for (const [name, target] of Object.entries({ in: 'target', out: '/etc/hostname', gone: 'nowhere' })) {
          symlinkSync(target, stage.workspace.path(at(name)));
          expect(await move({ from: at(name), to: at(`sub/${name}`) })).toEqual(
            success({ from: at(name), to: at(`sub/${name}`), overwritten: false }),
          );
          expect(readlinkSync(stage.workspace.path(at(`sub/${name}`)))).toBe(target);
        }
        expect(tree()).toEqual({
          target: 'T',
          sub: '(directory)',
          'sub/in': '-> target',
          'sub/out': '-> /etc/hostname',
          'sub/gone': '-> nowhere',
        });
      });

      it('a symlink at the new name is replaced itself, and only when asked to [workspace.move.symlink]', async () => {
        const { at, tree } = inFolder('over-link');
        stage.workspace.write(at('x'), 'X');
        stage.workspace.write(at('target'), 'T');
        symlinkSync('target', stage.workspace.path(at('link')));
        expect(await move({ from: at('x'), to: at('link') })).toEqual(taken(at('link'), 'a symbolic link'));
        expect(await move({ from: at('x'), to: at('link'), overwrite: true })).toEqual(
          success({ from: at('x'), to: at('link'), overwritten: true }),
        );
        expect(tree()).toEqual({ target: 'T', link: 'X' });
      });

      it('a directory does not get into itself through a link [workspace.move.into-itself]', async () => {
        const { at, tree } = inFolder('loop');
        stage.workspace.write(at('a/x'), 'X');
        symlinkSync('a', stage.workspace.path(at('alias')));
        const before = tree();
        expect(await move({ from: at('a'), to: at('alias/new/b') })).toEqual(intoItself(at('a'), at('alias/new/b')));
        expect(tree()).toEqual(before);
      });
    });

    describe('a failure', () => {
      it('leaves no directory that was made for the new name [workspace.move.failed-changes-nothing]', async () => {
        const { at, tree } = inFolder('failed');
        stage.workspace.write(at('x'), 'X');
        stage.workspace.write(at('f'), 'F');
        const long = at(`made/for/${'n'.repeat(256)}`);
        expect(await move({ from: at('x'), to: long })).toEqual(
          invalidPath(long, 'a name in it is too long for the file system'),
        );
        expect(await move({ from: at('x'), to: at('f/inside') })).toEqual(
          failure('NOT_DIRECTORY', `Cannot create ${at('f')}: a file is in its way`, {
            kind: 'parent_not_found',
            path: at('f/inside'),
            parent: at('f'),
          }),
        );
        expect(await move({ from: at('x'), to: at('x/inside') })).toEqual(
          failure('INVALID_PATH', `Cannot move ${at('x')} into itself: ${at('x/inside')}`, {
            kind: 'into_itself',
            path: at('x'),
            to: at('x/inside'),
          }),
        );
        expect(tree()).toEqual({ f: 'F', x: 'X' });
      });

      it('a file is not moved to a name that can only be a directory [workspace.path.trailing-slash]', async () => {
        const { at, tree } = inFolder('slash');
        stage.workspace.write(at('x'), 'X');
        stage.workspace.write(at('y'), 'Y');
        for (const to of ['new/', 'y/'])
          expect(await move({ from: at('x'), to: at(to), overwrite: true })).toEqual(
            invalidPath(at(to.slice(0, -1)), 'it ends with a slash, but a file is to be moved there'),
          );
        expect(await move({ from: at('x/'), to: at('z') })).toEqual(
          invalidPath(at('x'), 'it ends with a slash, but is not a directory'),
        );
        expect(tree()).toEqual({ x: 'X', y: 'Y' });
      });
    });

    describe('two moves onto one name', () => {
      const PAIRS = 50;
      const file = (name: string) => stage.workspace.write(name, name);
      const race = async (
        clients: TestClient[],
        { folder, found, prepare }: { folder: string; found: string; prepare: (name: string) => void },
      ) => {
        const { at, tree } = inFolder(folder);
        for (let pair = 0; pair < PAIRS; pair++) {
          const contenders = ['left', 'right'].map((side) => at(`${side}-${pair}`));
          for (const name of contenders) prepare(name);
          const to = at(`won-${pair}`);
          const answers = await Promise.all(
            contenders.map((from, side) =>
              ask(clients[side % clients.length] as TestClient, 'move_file', { from, to }),
            ),
          );
          const winner = answers.findIndex(({ ok }) => ok);
          expect(answers[winner]).toEqual(success({ from: contenders[winner], to, overwritten: false }));
          expect(answers[1 - winner]).toEqual(taken(to, found));
        }
        return tree();
      };

      it('never both succeed: files, in one server [workspace.move.one-winner]', async () => {
        const tree = await race([stage.client], { folder: 'one', found: 'a file', prepare: file });
        expect(Object.values(tree).sort()).toEqual(
          Array.from({ length: PAIRS }, (_, pair) => [`one/left-${pair}`, `one/right-${pair}`])
            .flat()
            .sort(),
        );
      });

      it('never both succeed: files and directories, in two servers [workspace.move.one-winner]', async () => {
        const other = await openClient({ door: 'stdio', era: 'legacy' }, { root: stage.workspace.root });
        try {
          const both = [stage.client, other];
          const files = await race(both, { folder: 'two', found: 'a file', prepare: file });
          expect(Object.keys(files)).toHaveLength(2 * PAIRS);
          const directories = await race(both, {
            folder: 'three',
            found: 'a directory',
            prepare: (name) => file(`${name}/x`),
          });
          expect(Object.keys(directories)).toHaveLength(4 * PAIRS);
        } finally {
          await other.close();
        }
      });
    });
  },
  ONE_WAY,
);
