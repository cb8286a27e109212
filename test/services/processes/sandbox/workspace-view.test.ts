import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { PROTECTED_GIT_NAMES, PROTECTED_NAMES } from '../../../../src/services/processes/sandbox/protected-names';
import { showWorkspace } from '../../../../src/services/processes/sandbox/workspace-view';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-view-')));
let count = 0;
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a root', () => {
  it('is writable, and every protected name that is not there is guarded', () => {
    const root = makeRoot();
    const { mounts, guarded } = showWorkspace([root], { git: true });
    expect(mounts).toEqual([['--bind', root, root]]);
    expect(guarded).toEqual([...PROTECTED_NAMES, '.git'].map((name) => ({ directory: root, name })));
  });

  it('shows the protected names that are there read-only', () => {
    const root = makeRoot({ '.npmrc': 'a=b', '.vscode/settings.json': '{}' });
    const view = showWorkspace([root], { git: true });
    expect(view.mounts).toEqual([['--bind', root, root], readOnly(root, '.npmrc'), readOnly(root, '.vscode')]);
    const guarded = view.guarded.filter(({ name }) => name === '.npmrc');
    expect(guarded).toEqual([{ directory: root, name: '.npmrc', inode: lstatSync(join(root, '.npmrc')).ino }]);
  });

  it('is mounted before what is in it, several roots too', () => {
    const root = makeRoot({ 'inner/.npmrc': '', '.npmrc': '' });
    const inner = join(root, 'inner');
    expect(showWorkspace([inner, root], { git: false }).mounts).toEqual([
      ['--bind', root, root],
      ['--bind', inner, inner],
      readOnly(root, '.npmrc'),
      readOnly(inner, '.npmrc'),
    ]);
  });

  it('is left as it is', () => {
    const root = makeRoot({ 'a.txt': '', '.git/config': '' });
    showWorkspace([root], { git: true });
    expect([readdirSync(root), readdirSync(join(root, '.git'))]).toEqual([['.git', 'a.txt'], ['config']]);
  });
});

describe('a protected name that is a link', () => {
  it('is guarded as the link it is, and what it leads to is read-only and cannot be moved', () => {
    const root = makeRoot({ 'tools/agents/claude/settings.json': '{}' });
    symlinkSync('tools/agents/claude', join(root, '.claude'));
    const { mounts, guarded } = showWorkspace([root], { git: true });
    expect(mounts.slice(1)).toEqual([
      ['--bind', join(root, 'tools'), join(root, 'tools')],
      ['--bind', join(root, 'tools/agents'), join(root, 'tools/agents')],
      readOnly(root, 'tools/agents/claude'),
    ]);
    expect(guarded).toContainEqual({ directory: root, name: '.claude', link: 'tools/agents/claude' });
  });

  it('that leads outside brings nothing in', () => {
    const root = makeRoot();
    symlinkSync('/etc', join(root, '.idea'));
    const { mounts, guarded } = showWorkspace([root], { git: true });
    expect(mounts).toEqual([['--bind', root, root]]);
    expect(guarded).toContainEqual({ directory: root, name: '.idea', link: '/etc' });
  });

  it.each([
    ['nowhere', 'leads nowhere'],
    ['.', 'to the workspace itself'],
  ])('to %s is refused', (target, problem) => {
    const root = makeRoot();
    symlinkSync(target, join(root, '.husky'));
    expect(() => showWorkspace([root], { git: true })).toThrow(
      expect.objectContaining({
        kind: 'sandbox_unavailable',
        facts: { problem: expect.stringContaining(problem), remedy: expect.stringMatching(/^Remove the link/) },
      }),
    );
  });
});

describe('the git directory', () => {
  it('is read-only where git is not allowed', () => {
    const root = makeRoot({ '.git/config': '', '.git/HEAD': '' });
    expect(showWorkspace([root], { git: false }).mounts).toEqual([['--bind', root, root], readOnly(root, '.git')]);
  });

  it('is writable where git is allowed, but for what makes git run something', () => {
    const root = makeRoot({ '.git/config': '', '.git/HEAD': '', '.git/hooks/pre-commit.sample': '' });
    const git = join(root, '.git');
    const view = showWorkspace([root], { git: true });
    expect(view.mounts).toEqual([
      ['--bind', root, root],
      ['--bind', git, git],
      readOnly(git, 'hooks'),
      readOnly(git, 'config'),
    ]);
    const inGit = view.guarded.filter(({ directory }) => directory === git);
    const absent = inGit.filter(({ inode }) => inode === undefined).map(({ name }) => name);
    expect(absent).toEqual(PROTECTED_GIT_NAMES.filter((name) => name !== 'hooks' && name !== 'config'));
  });

  it('protects the linked worktrees of others', () => {
    const root = makeRoot({ '.git/worktrees/other/commondir': '../..' });
    const worktrees = join(root, '.git/worktrees');
    const { mounts } = showWorkspace([root], { git: true });
    expect(mounts.slice(-2)).toEqual([['--bind', worktrees, worktrees], readOnly(worktrees, 'other')]);
  });
});

describe('a linked worktree', () => {
  it('brings in the repository that names it in return', () => {
    const { main, root } = makeWorktree();
    const git = join(main, '.git');
    const own = join(git, 'worktrees', 'linked');
    const view = showWorkspace([root], { git: true });
    expect(view.mounts).toEqual([
      ['--bind', root, root],
      readOnly(root, '.git'),
      ['--bind', git, git],
      readOnly(git, 'hooks'),
      readOnly(git, 'info'),
      readOnly(git, 'config'),
      ['--bind', join(git, 'worktrees'), join(git, 'worktrees')],
      ['--bind', own, own],
      readOnly(own, 'commondir'),
      readOnly(own, 'gitdir'),
    ]);
    expect(view.guarded).toContainEqual({ directory: own, name: 'config.worktree' });
  });

  it('brings in nothing without git, nor a directory that does not name it', () => {
    const { main, root } = makeWorktree();
    expect(showWorkspace([root], { git: false }).mounts).toEqual([['--bind', root, root], readOnly(root, '.git')]);
    writeFileSync(join(main, '.git/worktrees/linked/gitdir'), '/elsewhere/.git\n');
    expect(showWorkspace([root], { git: true }).mounts).toEqual([['--bind', root, root], readOnly(root, '.git')]);
  });
});

function makeRoot(files: Readonly<Record<string, string>> = {}): string {
  const root = join(folder, `root-${count++}`);
  mkdirSync(root, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function makeWorktree(): { main: string; root: string } {
  const main = makeRoot();
  const root = join(folder, `linked-${count++}`, 'linked');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: main });
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  git('worktree', 'add', '-q', root);
  return { main, root };
}

function readOnly(directory: string, name: string): string[] {
  return ['--ro-bind', join(directory, name), join(directory, name)];
}
