import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createGuards } from '../../../../src/services/processes/sandbox/guard';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-guard-')));
const root = join(folder, 'root');
const aside = join(folder, 'aside');
beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root);
  mkdirSync(aside, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const absent = { directory: root, name: '.npmrc' };

describe.skipIf(process.platform !== 'linux')('the guard', () => {
  it('is silent while the names are not touched', async () => {
    const guard = arm([absent]);
    writeFileSync(join(root, 'npmrc'), '');
    await sleep(50);
    expect(await guard.settle()).toBeUndefined();
    expect(readdirSync(root)).toEqual(['npmrc']);
  });

  it('hears of a name at once, and takes it out of the workspace', async () => {
    const guard = arm([absent]);
    writeFileSync(join(root, '.npmrc'), 'script-shell=evil');
    await guard.tripped;
    expect(await guard.settle()).toMatchObject({
      kind: 'protected_name',
      facts: { path: join(root, '.npmrc'), command: 'npm', fate: `moved to ${join(aside, '.npmrc')}` },
    });
    expect(readdirSync(root)).toEqual([]);
    expect(readFileSync(join(aside, '.npmrc'), 'utf8')).toBe('script-shell=evil');
  });

  it('finds at the end what came last', async () => {
    const guard = arm([absent]);
    writeFileSync(join(root, '.npmrc'), '');
    expect(await guard.settle()).toMatchObject({ kind: 'protected_name' });
    expect(readdirSync(root)).toEqual([]);
  });

  it('does not overlook a name that came and went', async () => {
    const guard = arm([absent]);
    writeFileSync(join(root, '.npmrc'), '');
    rmSync(join(root, '.npmrc'));
    await guard.tripped;
    expect(await guard.settle()).toMatchObject({ facts: { fate: 'gone again' } });
  });

  it('deletes what it cannot move, be it closed to everybody', async () => {
    const guard = createGuards().arm([{ directory: root, name: '.vscode' }], { command: 'npm', aside: undefined });
    mkdirSync(join(root, '.vscode/closed'), { recursive: true });
    writeFileSync(join(root, '.vscode/closed/tasks.json'), '{}');
    symlinkSync('/etc', join(root, '.vscode/link'));
    chmodSync(join(root, '.vscode/closed'), 0);
    chmodSync(join(root, '.vscode'), 0);
    expect(await guard.settle()).toMatchObject({ facts: { fate: 'removed' } });
    expect([readdirSync(root), existsSync('/etc/passwd')]).toEqual([[], true]);
  });

  it('keeps the latest of each name only', async () => {
    for (const text of ['first', 'second']) {
      const guard = arm([absent]);
      writeFileSync(join(root, '.npmrc'), text);
      await guard.settle();
    }
    expect(readFileSync(join(aside, '.npmrc'), 'utf8')).toBe('second');
  });

  it('frees the name at once, however much there is to delete', async () => {
    for (let round = 0; round < 2; round++) {
      const guard = arm([{ directory: root, name: '.vscode' }]);
      mkdirSync(join(root, '.vscode/deep/er'), { recursive: true });
      for (let file = 0; file < 500; file++) writeFileSync(join(root, `.vscode/deep/er/${file}`), '');
      const settled = guard.settle();
      expect(existsSync(join(root, '.vscode'))).toBe(false);
      await settled;
    }
    expect(readdirSync(aside).filter((name) => name !== '.npmrc')).toEqual(['.vscode']);
    rmSync(join(aside, '.vscode'), { recursive: true });
  });

  it('puts back a link that was replaced', async () => {
    symlinkSync('real', join(root, '.claude'));
    const guard = arm([{ directory: root, name: '.claude', link: 'real' }]);
    rmSync(join(root, '.claude'));
    mkdirSync(join(root, '.claude'));
    expect(await guard.settle()).toMatchObject({ kind: 'protected_name' });
    expect(readlinkSync(join(root, '.claude'))).toBe('real');
  });

  it('holds a name absent for as long as any command runs', async () => {
    const guards = createGuards();
    const options = { command: 'npm', aside };
    const [first, second] = [guards.arm([absent], options), guards.arm([absent], options)];
    const path = join(root, '.npmrc');
    const held = [guards.isMeantAbsent(path)];
    await first.settle();
    held.push(guards.isMeantAbsent(path));
    await second.settle();
    expect([...held, guards.isMeantAbsent(path)]).toEqual([true, true, false]);
  });

  it('hears of a mounted entry that somebody replaces, and leaves it', async () => {
    const file = join(root, '.npmrc');
    writeFileSync(file, 'old');
    const guard = arm([{ directory: root, name: '.npmrc', inode: statSync(file).ino }]);
    writeFileSync(join(root, 'new'), 'new');
    renameSync(join(root, 'new'), file);
    await guard.tripped;
    expect(await guard.settle()).toMatchObject({
      facts: { fate: 'replaced from outside meanwhile, and left as it is' },
    });
    expect(readFileSync(file, 'utf8')).toBe('new');
  });

  it('does not mind a mounted entry that is written to', async () => {
    const file = join(root, '.npmrc');
    writeFileSync(file, 'old');
    const guard = arm([{ directory: root, name: '.npmrc', inode: statSync(file).ino }]);
    writeFileSync(file, 'new');
    await sleep(50);
    expect(await guard.settle()).toBeUndefined();
  });

  it('knows which paths it watches', async () => {
    const guards = createGuards();
    const guard = guards.arm([{ directory: root, name: '.claude' }], { command: 'npm', aside });
    const paths = ['.claude', '.claude/memory/a.jsonl', '.claudes'].map((path) => join(root, path));
    const during = paths.map(guards.watches);
    await guard.settle();
    expect([during, paths.map(guards.watches)]).toEqual([
      [true, true, false],
      [false, false, false],
    ]);
  });
});

function arm(guarded: Parameters<ReturnType<typeof createGuards>['arm']>[0]) {
  return createGuards().arm(guarded, { command: 'npm', aside });
}
