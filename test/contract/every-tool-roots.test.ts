/** The wall: nothing outside the roots is read or changed, whatever is asked and whatever happens meanwhile. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openClient } from '../harness/client';
import { eachWay } from '../harness/each-way';
import { makeWorkspace } from '../harness/workspace';
import { openLines } from '../mcp/line-client';
import { treeOf } from './tree';

const ONE_WAY = [{ door: 'stdio', era: 'modern' }] as const;
const CANARY = 'canary-outside-the-roots';

/** Calls of every file tool on one place, by its absolute and by its relative path. */
function callsOn(absolute: string, relative: string): [string, object][] {
  return [
    ['read_text_file', { path: absolute }],
    ['write_text_file', { path: absolute, content: 'x' }],
    ['edit_text_file', { path: absolute, old_string: CANARY, new_string: 'x' }],
    ['multi_edit_text_file', { path: absolute, edits: [{ old_string: CANARY, new_string: 'x' }] }],
    ['read_file', { file: relative }],
    ['write_file', { file: relative, content: 'x' }],
    ['edit_file', { file: relative, find: CANARY, replace: 'x' }],
    ['move_file', { from: 'inside.txt', to: relative, overwrite: true }],
    ['list_dir', { dir: relative }],
    ['mkdir', { dir: `${relative}/made` }],
    ['run_command', { command: 'node', args: ['-p', '1'], cwd: relative }],
    ['read_repo_file', { path: relative }],
  ];
}

eachWay(
  'the wall',
  {},
  (stage) => {
    const outside = makeWorkspace({ 'canary.txt': CANARY, 'folder/canary.txt': CANARY });
    beforeAll(() => {
      const { path, write } = stage.workspace;
      write('inside.txt', 'inside');
      symlinkSync(outside.root, path('out'));
      symlinkSync(outside.path('canary.txt'), path('out.txt'));
      symlinkSync(outside.path('not-there.txt'), path('dangling'));
      mkdirSync(path('deep'));
      symlinkSync('../../', path('deep/up'));
      return () => outside.remove();
    });

    it.each<[string, () => [string, string]]>([
      ['an absolute path outside', () => [outside.path('canary.txt'), outside.path('canary.txt')]],
      [
        '..',
        () => [
          `${stage.workspace.root}/../${basename(outside.root)}/canary.txt`,
          `../${basename(outside.root)}/canary.txt`,
        ],
      ],
      ['a link to a file outside', () => [stage.workspace.path('out.txt'), 'out.txt']],
      ['a link to a directory outside', () => [`${stage.workspace.root}/out/canary.txt`, 'out/canary.txt']],
      ['a link to a directory outside, itself', () => [stage.workspace.path('out'), 'out']],
      [
        'a relative link that climbs out',
        () => [
          `${stage.workspace.root}/deep/up/${basename(outside.root)}/canary.txt`,
          `deep/up/${basename(outside.root)}/canary.txt`,
        ],
      ],
      ['a link whose target is not there yet', () => [stage.workspace.path('dangling'), 'dangling']],
      [
        'a name that begins as the root',
        () => [`${stage.workspace.root}-more/canary.txt`, `../${basename(stage.workspace.root)}-more/canary.txt`],
      ],
      ['/proc', () => ['/proc/self/environ', 'proc/../../../proc/self/environ']],
    ])('stands against %s, for every file tool [every.nothing-outside]', async (_, places) => {
      const before = treeOf(outside.root);
      for (const [tool, args] of callsOn(...places())) {
        // A link is moved over as a link: that is a change inside.
        if (tool === 'move_file' && ['out', 'out.txt', 'dangling'].includes((args as { to: string }).to)) continue;
        const result = await stage.client.result(tool, args);
        expect(result.isError, `${tool} ${JSON.stringify(args)}`).toBe(true);
        expect(JSON.stringify(result), tool).not.toContain(CANARY);
      }
      expect(treeOf(outside.root)).toEqual(before);
      expect(stage.workspace.read('inside.txt')).toBe('inside');
    });

    it('stands while another process swaps a directory for a link to the outside [every.nothing-outside-race]', async () => {
      stage.workspace.write('swap/canary.txt', 'within');
      stage.workspace.write('swap/folder/canary.txt', 'within');
      const before = treeOf(outside.root);
      const swapper = await startSwapping(stage.workspace.path('swap'), outside.root);
      const answers = { ok: 0, failed: 0 };
      const end = Date.now() + 2000;
      const file = stage.workspace.path('swap/canary.txt');
      while (Date.now() < end) {
        const results = await Promise.all([
          stage.client.result('read_file', { file: 'swap/canary.txt' }),
          stage.client.result('read_text_file', { path: file }),
          stage.client.result('read_repo_file', { path: 'swap/folder/canary.txt' }),
          stage.client.result('list_dir', { dir: 'swap', recursive: true }),
          stage.client.result('write_text_file', { path: file, content: 'within' }),
          stage.client.result('write_file', { file: 'swap/new/deep.txt', content: 'x' }),
          stage.client.result('edit_file', { file: 'swap/folder/canary.txt', find: CANARY, replace: 'x' }),
          stage.client.result('mkdir', { dir: 'swap/made' }),
          stage.client.result('delete_file', { path: 'swap/made' }),
          stage.client.result('move_file', { from: 'swap/new/deep.txt', to: 'swap/moved.txt', overwrite: true }),
        ]);
        for (const result of results) {
          answers[result.isError ? 'failed' : 'ok'] += 1;
          // What an edit looked for stands in its own answer; what a reader found must not be the canary.
          const said = JSON.stringify(result).replaceAll(/Not found in [^"]*/g, '');
          expect(said).not.toContain(CANARY);
        }
      }
      await stop(swapper);
      expect(treeOf(outside.root)).toEqual(before);
      // Both sides of the race were met, or nothing was shown.
      expect(answers.ok).toBeGreaterThan(0);
      expect(answers.failed).toBeGreaterThan(0);
    });
  },
  ONE_WAY,
);

describe('the roots', () => {
  it('are the current directory by default [every.root-default]', async () => {
    const workspace = makeWorkspace({ 'a.txt': 'here' });
    const client = openLines(['serve'], { cwd: workspace.root });
    await client.initialize();
    const calls = [
      ['read_file', { file: 'a.txt' }],
      ['read_text_file', { path: workspace.path('a.txt') }],
      ['read_repo_file', { path: 'a.txt' }],
    ] as const;
    for (const [name, args] of calls) {
      const { result } = await client.request('tools/call', { name, arguments: args });
      expect(JSON.stringify(result), name).toContain('here');
    }
    await client.end();
    workspace.remove();
  });

  it('are all there for the editor tools; the others see the first [every.roots, every.root-flag]', async () => {
    const [first, second] = [makeWorkspace({ 'a.txt': 'first' }), makeWorkspace({ 'a.txt': 'second' })];
    const client = await openClient(ONE_WAY[0], { root: first.root, flags: ['--root', second.root] });
    for (const place of [first, second])
      expect(await client.call('read_text_file', { path: place.path('a.txt') })).toMatchObject({
        content: place.read('a.txt'),
      });
    expect(await client.call('read_file', { file: 'a.txt' })).toMatchObject({ data: { content: 'first' } });
    expect(await client.call('read_repo_file', { path: 'a.txt' })).toMatchObject({ content: 'first' });
    expect(client.instructions()).toContain(second.root);
    await client.close();
    for (const place of [first, second]) place.remove();
  });

  it('may be named from where the server was started [every.root-flag, every.roots]', async () => {
    const workspace = makeWorkspace({ 'one/a.txt': 'first', 'two/a.txt': 'second', 'one/two/a.txt': 'wrong' });
    const client = openLines(['serve', '--root', 'one', '--root', 'two'], { cwd: workspace.root });
    await client.initialize();
    // Twice: with the first call the server moves into its root.
    for (const path of ['one/a.txt', 'two/a.txt', 'one/a.txt', 'two/a.txt']) {
      const called = { name: 'read_text_file', arguments: { path: workspace.path(path) } };
      const { result } = await client.request('tools/call', called);
      expect(JSON.stringify(result), path).toContain(workspace.read(path));
    }
    await client.end();
    workspace.remove();
  });

  it('are served again where they were removed and made anew [every.root-made-anew]', async () => {
    const workspace = makeWorkspace({ 'project/a.txt': 'old', 'project/sub/b.txt': 'old' });
    const client = await openClient(ONE_WAY[0], { root: workspace.path('project') });
    const read = (file: string) => client.call('read_file', { file });
    expect(await read('a.txt')).toMatchObject({ data: { content: 'old' } });
    for (const round of ['anew', 'once more']) {
      rmSync(workspace.path('project'), { recursive: true });
      expect(await read('a.txt')).toMatchObject({ error: { code: 'NOT_FOUND' } });
      workspace.write('project/a.txt', round);
      workspace.write('project/sub/b.txt', round);
      for (const file of ['a.txt', 'sub/b.txt']) expect(await read(file)).toMatchObject({ data: { content: round } });
      await client.call('write_file', { file: 'c.txt', content: round });
      expect(workspace.read('project/c.txt')).toBe(round);
      const paths = ['a.txt', 'c.txt', 'sub'].map((path) => expect.objectContaining({ path }));
      expect(await client.call('list_dir', {})).toMatchObject({ data: { entries: paths } });
    }
    await client.close();
    workspace.remove();
  });

  it('may be named through a link [every.root-flag]', async () => {
    const workspace = makeWorkspace({ 'project/a.txt': 'a' });
    symlinkSync('project', workspace.path('alias'));
    const client = await openClient(ONE_WAY[0], { root: workspace.path('alias') });
    for (const path of [workspace.path('alias/a.txt'), workspace.path('project/a.txt')])
      expect(await client.call('read_text_file', { path })).toMatchObject({ content: 'a' });
    await client.close();
    workspace.remove();
  });
});

/** Another process that swaps the directory with a link, as fast as it can. */
async function startSwapping(path: string, target: string): Promise<ChildProcess> {
  const script = `
    const { renameSync, symlinkSync } = require('node:fs');
    const [path, target] = process.argv.slice(1);
    symlinkSync(target, path + '.link');
    process.stdout.write('ready');
    for (;;) {
      try { renameSync(path, path + '.dir'); renameSync(path + '.link', path); } catch {}
      try { renameSync(path, path + '.link'); renameSync(path + '.dir', path); } catch {}
    }`;
  const child = spawn(process.execPath, ['-e', script, path, target], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
