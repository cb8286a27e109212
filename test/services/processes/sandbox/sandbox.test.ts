/** Commands in a real sandbox. Skipped where bubblewrap is not installed or not allowed. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { inheritedDescriptors } from '../../../../src/services/processes/inherited-descriptors';
import { survivors, timed } from '../run-helper';
import { hasBubblewrap, makeSandboxBench } from './sandbox-bench';

describe.skipIf(!hasBubblewrap)('a command in the sandbox', () => {
  const bench = makeSandboxBench();
  afterAll(bench.dispose);
  beforeEach(bench.clear);

  it('works in the workspace and has its own exit code and outputs', async () => {
    expect(await bench.sh('pwd; echo x > made; echo err >&2; exit 3')).toEqual({
      exitCode: 3,
      signal: null,
      timedOut: false,
      stdout: `${bench.root}\n`,
      stderr: 'err\n',
      stdoutTruncated: false,
      stderrTruncated: false,
    });
    expect(readFileSync(join(bench.root, 'made'), 'utf8')).toBe('x\n');
  });

  it('sees neither the home nor the files of others, and writes nowhere else', async () => {
    const { stdout } = await bench.sh(
      'cat "$0/secret" /etc/shadow; echo x > /etc/x; echo x > /usr/x; echo x > "$0/x"; ls -A ~; echo end',
      { args: [bench.home] },
    );
    expect(stdout).toMatch(/^(?:\.\w+\n)*end\n$/);
    expect(readdirSync(bench.home).sort()).toEqual(['.cache', 'secret']);
  });

  it('finds the few files of /etc as they are, and cannot change them', async () => {
    const { stdout } = await bench.sh(
      'cat /etc/passwd; for f in /etc/passwd /etc/hosts; do (echo x >> $f) || rm -f $f || mv $f /etc/y || echo kept; done',
    );
    expect(stdout).toBe(`${readFileSync('/etc/passwd', 'utf8')}kept\nkept\n`);
  });

  it('has its settings at every start, several at once too, and cannot change them', async () => {
    const script = 'cat ~/.gitconfig; for f in .gitconfig .npmrc; do (echo x >> ~/$f) || rm -f ~/$f || echo kept; done';
    const runs = await Promise.all([1, 2, 3].map(() => bench.sh(script)));
    const wanted = `[safe]\n\tdirectory = "${bench.root}"\nkept\nkept\n`;
    expect(runs.map(({ stdout }) => stdout)).toEqual([wanted, wanted, wanted]);
  });

  it('gets only the descriptors that are meant for it', async () => {
    const { stdout } = await bench.sh('for f in /proc/$$/fd/*; do readlink $f; done');
    const allowed = /^(?:\/dev\/null|socket:\[\d+\]|pipe:\[\d+\]|\/proc\/\d+\/fd)$/;
    const lines = stdout.trim().split('\n');
    expect(lines.filter((line) => !allowed.test(line))).toEqual([]);
    // Input and two outputs; what this process was given itself has become nothing.
    expect(lines.filter((line) => line.startsWith('socket') || line.startsWith('pipe'))).toHaveLength(2);
    expect(lines.length).toBeLessThanOrEqual(4 + inheritedDescriptors().length);
  });

  it('is ended by the time-out, and all it started', async () => {
    const { value, elapsedMs } = await timed(() =>
      bench.sh('setsid sleep 60 & (trap "" TERM; sleep 60) & sleep 60', { timeoutMs: 400 }),
    );
    expect(value).toMatchObject({ exitCode: null, signal: 'SIGTERM', timedOut: true });
    expect(elapsedMs).toBeLessThan(400 + 2500);
    expect(survivors(bench.root)).toEqual([]);
  });

  it('may end by itself when asked', async () => {
    const script = "trap 'echo bye; exit 7' TERM; echo begun; while :; do sleep 0.02; done";
    const outcome = await bench.sh(script, { timeoutMs: 2000 });
    expect(outcome).toMatchObject({ exitCode: 7, signal: null, timedOut: true, stdout: 'begun\nbye\n' });
  });

  it('that ignores the request is killed', async () => {
    // Long enough to have begun, on a machine that is busy too: before the trap is set, the request ends it.
    const outcome = await bench.sh("trap '' TERM; echo begun; while :; do sleep 0.02; done", { timeoutMs: 2000 });
    expect(outcome).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: true, stdout: 'begun\n' });
  });

  it('takes its background processes along', async () => {
    await bench.sh('(sleep 1; echo late > late) >/dev/null 2>&1 & setsid sleep 60 >/dev/null 2>&1 & exit 0');
    expect(survivors(bench.root)).toEqual([]);
    await sleep(1200);
    expect(readdirSync(bench.root)).toEqual([]);
  });

  it('can be cancelled at any moment', async () => {
    for (const afterMs of [0, 5, 10, 20, 40, 80, 160]) {
      const controller = new AbortController();
      const run = bench.sh('sleep 60', { signal: controller.signal });
      setTimeout(() => controller.abort('enough'), afterMs);
      await expect(run).rejects.toMatchObject({ kind: 'cancelled' });
      expect(survivors(bench.root)).toEqual([]);
    }
  });

  it('is ended at once when it makes a protected name', async () => {
    const { value, elapsedMs } = await timed(() =>
      bench.sh('echo a > .npmrc; sleep 60').catch((fault: unknown) => fault),
    );
    expect(value).toMatchObject({
      kind: 'protected_name',
      facts: { path: join(bench.root, '.npmrc'), command: 'sh', fate: expect.stringMatching(/^moved to /) },
    });
    expect(elapsedMs).toBeLessThan(3000);
    expect(readdirSync(bench.root)).toEqual([]);
  });

  it('cannot change, move or delete a protected name that is there', async () => {
    mkdirSync(join(bench.root, '.vscode'));
    writeFileSync(join(bench.root, '.npmrc'), 'fund=false\n');
    const { stdout } = await bench.sh(
      'echo x >> .npmrc; rm -f .npmrc; mv .npmrc a; echo x > b; mv b .npmrc; echo x > .vscode/tasks.json; mv .vscode c; cat .npmrc',
    );
    expect(stdout).toBe('fund=false\n');
    expect(readFileSync(join(bench.root, '.npmrc'), 'utf8')).toBe('fund=false\n');
    expect(readdirSync(bench.root).sort()).toEqual(['.npmrc', '.vscode', 'b']);
  });

  it('is ended when somebody replaces a protected name, since its protection is gone then', async () => {
    const file = join(bench.root, '.npmrc');
    writeFileSync(file, 'fund=false\n');
    const script = 'until grep -q person .npmrc; do sleep 0.01; done; sleep 0.2; echo evil >> .npmrc; sleep 60';
    const run = bench.sh(script).catch((fault: unknown) => fault);
    await sleep(400);
    writeFileSync(join(bench.root, 'new'), 'person\n');
    renameSync(join(bench.root, 'new'), file);
    expect(await run).toMatchObject({
      kind: 'protected_name',
      facts: { fate: expect.stringMatching(/left as it is/) },
    });
    expect(readFileSync(file, 'utf8')).toBe('person\n');
  });

  it('commits, but plants no hook', async () => {
    spawnSync('git', ['init', '-q'], { cwd: bench.root });
    const outcome = await bench.sh(
      'git config user.name x; echo a > a; git add a && git -c user.name=a -c user.email=a@example.com commit -qm a && git log --oneline | wc -l; echo evil > .git/hooks/pre-commit; mv .git old',
    );
    expect(outcome.stdout.trim()).toBe('1');
    expect(existsSync(join(bench.root, '.git/hooks/pre-commit'))).toBe(false);
  });

  it('without a network reaches nobody, and has local sockets', async () => {
    const code = `import socket
socket.socket(socket.AF_UNIX).bind('\\0name'); print('local')
socket.create_connection(('127.0.0.1', ${await bench.listen()}), 2)`;
    const off = await bench.run('python3', ['-c', code], { network: 'off' });
    expect(off.stdout).toBe('local\n');
    expect(off.stderr).toMatch(/Connection refused|Network is unreachable/);
    const on = await bench.run('python3', ['-c', code.split('\n').toSpliced(1, 1).join('\n')]);
    expect(on).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('that cannot be run inside is not installed', async () => {
    rmSync(join(bench.root, 'missing'), { force: true });
    await expect(bench.start(join(bench.root, 'missing'))).rejects.toMatchObject({
      kind: 'command_not_installed',
      facts: { problem: expect.stringContaining('No such file') },
    });
  });

  it('a failure of the sandbox itself is not an outcome of the command', async () => {
    await expect(bench.start('/bin/true', { directory: '/nowhere' })).rejects.toMatchObject({
      kind: 'sandbox_unavailable',
      facts: { problem: expect.stringContaining('/nowhere') },
    });
  });
});
