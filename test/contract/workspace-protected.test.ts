import { mkdirSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eachWay } from '../harness/each-way';

const STDIO = [{ door: 'stdio', era: 'modern' }] as const;
const NAMES = ['.npmrc', '.vscode/tasks.json', '.git/hooks/pre-commit', '.git/config', 'lib/.git/hooks/x', '.VSCode/a'];

const changes = (path: string): [tool: string, args: object][] => [
  ['write_file', { file: path, content: 'x' }],
  ['edit_file', { file: path, find: 'a', replace: 'b' }],
  ['delete_file', { path, recursive: true }],
  ['mkdir', { dir: path }],
  ['move_file', { from: path, to: 'elsewhere' }],
  ['move_file', { from: 'plain.txt', to: path }],
];

eachWay(
  'protected names',
  {},
  (stage) => {
    it.each(NAMES)('%s is changed by no tool [workspace.protected.refused]', async (name) => {
      stage.workspace.write('plain.txt', 'plain');
      for (const [tool, args] of changes(name))
        expect(await stage.client.call(tool, args)).toMatchObject({
          ok: false,
          error: { code: 'INVALID_PATH', details: { kind: 'protected_path' } },
        });
      expect(
        await stage.client.call('write_text_file', { path: stage.workspace.path(name), content: 'x' }),
      ).toMatchObject({ error: { code: -32002, message: `Permission denied: ${stage.workspace.path(name)}` } });
      expect(readdirSync(stage.workspace.root)).toEqual(['plain.txt']);
    });

    it('the rest of .git is nobody’s business but the agent’s [workspace.protected.refused]', async () => {
      mkdirSync(stage.workspace.path('.git'));
      expect(await stage.client.call('write_file', { file: '.git/description', content: 'x' })).toMatchObject({
        ok: true,
      });
      expect(await stage.client.call('delete_file', { path: '.git', recursive: true })).toMatchObject({ ok: false });
    });

    it('can be read [workspace.protected.reading]', async () => {
      stage.workspace.write('.npmrc', 'fund=false\n');
      expect(await stage.client.call('read_file', { file: '.npmrc' })).toMatchObject({
        ok: true,
        data: { content: 'fund=false\n' },
      });
    });
  },
  STDIO,
);

eachWay(
  'protected names, --protect off',
  { flags: ['--protect', 'off', '--approve', 'always'] },
  (stage) => {
    it('are changed like any other [workspace.protected.off]', async () => {
      expect(await stage.client.call('write_file', { file: '.vscode/tasks.json', content: '{}' })).toMatchObject({
        ok: true,
      });
      expect(stage.workspace.read('.vscode/tasks.json')).toBe('{}');
    });
  },
  STDIO,
);

eachWay(
  'the memory folder',
  { flags: ['--approve', 'always'] },
  (stage) => {
    it('is written although it is protected [workspace.protected.memory]', async () => {
      const entry = { file: 'best_practices.md', entry: 'x' };
      expect(await stage.client.call('write_memory_entry', entry)).toMatchObject({ success: true });
      expect(
        await stage.client.call('write_file', { file: '.claude/memory/best_practices.md', content: '' }),
      ).toMatchObject({ ok: false });
      expect(stage.workspace.read('.claude/memory/best_practices.md')).toBe('x\n');
    });
  },
  STDIO,
);
