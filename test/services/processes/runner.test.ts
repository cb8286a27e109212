import { getEventListeners } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Fault } from '../../../src/contract/fault';
import { type Program, runProgram } from '../../../src/services/processes/runner';
import { MOST_AFTER_MS, makeBench, survivors, timed } from './run-helper';

const bench = makeBench();
afterAll(bench.dispose);

const SUCCESS = {
  exitCode: 0,
  signal: null,
  timedOut: false,
  stdout: '',
  stderr: '',
  stdoutTruncated: false,
  stderrTruncated: false,
};

describe('the outcome', () => {
  it('is what the command printed and how it ended', async () => {
    expect(await bench.sh('echo out; echo err >&2; exit 3')).toEqual({
      ...SUCCESS,
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });

  it('names the signal that ended it', async () => {
    expect(await bench.sh('kill -9 $$')).toEqual({ ...SUCCESS, exitCode: null, signal: 'SIGKILL' });
  });

  it('cuts each output by itself', async () => {
    const outcome = await bench.sh('printf %02000d 0; printf %01000d 0 >&2', { maxOutputBytes: 1024 });
    expect(outcome).toEqual({
      ...SUCCESS,
      stdout: `${'0'.repeat(1024)}\n[… 976 more bytes dropped]`,
      stderr: '0'.repeat(1000),
      stdoutTruncated: true,
    });
  });

  it('arguments arrive as they were sent', async () => {
    const args = [
      '',
      ' a b ',
      '$HOME',
      '`id`',
      '"q"',
      "'",
      '*',
      '\\n',
      '\n',
      ';id',
      '&calc',
      '"|whoami',
      'ü',
      '--',
      '-e',
    ];
    const { stdout } = await bench.run('node', ['-p', 'JSON.stringify(process.argv.slice(1))', '--', ...args]);
    expect(JSON.parse(stdout)).toEqual(args);
  });

  it('input is empty', async () => {
    expect(await bench.sh('cat; echo done')).toEqual({ ...SUCCESS, stdout: 'done\n' });
  });

  it('there is no terminal to ask on', async () => {
    expect(await bench.sh('(: </dev/tty) 2>/dev/null || echo none')).toEqual({ ...SUCCESS, stdout: 'none\n' });
  });

  it('the command works in its directory and knows its name', async () => {
    expect((await bench.sh('pwd -P; echo "$PWD"')).stdout).toBe(`${bench.directory}\n${bench.directory}\n`);
  });

  it('the programs that are allowed by default run', async () => {
    expect(await bench.run('npm', ['--version'])).toEqual({ ...SUCCESS, stdout: expect.stringMatching(/^\d+\.\d+/) });
    expect(await bench.run('python3', ['-c', 'print("ü")'])).toEqual({ ...SUCCESS, stdout: 'ü\n' });
  });
});

/** Until a shell has set its trap, on a busy machine too. */
const TO_BEGIN_MS = 1000;

describe('the time-out', () => {
  it('ends the command and keeps what it had printed', async () => {
    const { value, elapsedMs } = await timed(() => bench.sh('echo begun; sleep 60', { timeoutMs: 200 }));
    expect(value).toEqual({ ...SUCCESS, exitCode: null, signal: 'SIGTERM', timedOut: true, stdout: 'begun\n' });
    expect(elapsedMs).toBeGreaterThanOrEqual(200);
    expect(elapsedMs).toBeLessThan(200 + MOST_AFTER_MS);
  });

  it('a command that heeds the request to end has its own exit code', async () => {
    const script = "trap 'echo bye; exit 7' TERM; while :; do sleep 0.02; done";
    const outcome = await bench.sh(script, { timeoutMs: TO_BEGIN_MS });
    expect(outcome).toMatchObject({ exitCode: 7, signal: null, timedOut: true, stdout: 'bye\n' });
  });

  it('a command that ignores it is killed', async () => {
    const { value, elapsedMs } = await timed(() =>
      bench.sh("trap '' TERM; while :; do sleep 0.02; done", { timeoutMs: TO_BEGIN_MS }),
    );
    expect(value).toEqual({ ...SUCCESS, exitCode: null, signal: 'SIGKILL', timedOut: true });
    expect(elapsedMs).toBeLessThan(TO_BEGIN_MS + MOST_AFTER_MS);
  });

  it('a sandbox that is slow to tell of the kill is waited for', async () => {
    const inside = 'setsid sh -c "trap \\"\\" TERM; echo begun; while :; do sleep 0.02; done"';
    const outside = `${inside} & echo "{ \\"child-pid\\": $! }" >&3; wait $!; sleep 0.1; exit 137`;
    const run = start('/bin/sh', {
      args: ['-c', outside],
      env: { PATH: '/usr/bin:/bin' },
      confinement: {
        handed: [],
        masked: [],
        guard: () => ({ tripped: new Promise(() => {}), settle: async () => undefined }),
        ready: () => undefined,
        explain: () => new Fault('sandbox_unavailable', { problem: 'not this one', remedy: '' }),
      },
    });
    expect(await run).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: true, stdout: 'begun\n' });
  });

  it('what python printed before it is there', async () => {
    const code = 'import time; print("begun"); time.sleep(60)';
    expect((await bench.run('python3', ['-c', code], { timeoutMs: 1500 })).stdout).toBe('begun\n');
  });
});

describe('cancellation', () => {
  it('ends the whole tree, then says so', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort('no longer wanted'), 150);
    const run = timed(() => bench.sh('setsid sleep 60 & sleep 60 & sleep 60', { signal: controller.signal }));
    await expect(run).rejects.toMatchObject({ kind: 'cancelled', facts: { reason: 'no longer wanted' } });
    expect(survivors(bench.directory)).toEqual([]);
  });

  it('of a call that has not begun starts nothing', async () => {
    const file = join(bench.directory, 'started');
    const run = bench.sh(`echo > ${file}`, { signal: AbortSignal.abort() });
    await expect(run).rejects.toMatchObject({ kind: 'cancelled', facts: { reason: 'This operation was aborted' } });
    await expect(bench.sh(`test -e ${file}`)).resolves.toMatchObject({ exitCode: 1 });
  });

  it('leaves no listener behind after an ordinary end', async () => {
    const { signal } = new AbortController();
    await bench.sh('exit 0', { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('progress', () => {
  it('tells every second what has been seen', async () => {
    const updates: { elapsedMs: number; message: string }[] = [];
    await bench.sh('printf %01234d 0; echo; echo working; sleep 2.4', { progress: (update) => updates.push(update) });
    expect(updates.length).toBeGreaterThanOrEqual(1);
    for (const { message } of updates) expect(message).toMatch(/^[1-3] s, stdout 1,243 B, stderr 0 B: working$/);
    expect(updates[0]?.elapsedMs).toBeGreaterThanOrEqual(990);
  });

  it('is silent for a short command', async () => {
    const progress = vi.fn();
    await bench.sh('exit 0', { progress });
    expect(progress).not.toHaveBeenCalled();
  });
});

describe('a command that cannot start', () => {
  it('is refused before anything runs when it is not allowed', async () => {
    await expect(bench.run('bash', ['-lc', 'echo hi'])).rejects.toMatchObject({
      kind: 'command_not_allowed',
      facts: { command: 'bash', allowed: expect.arrayContaining(['node', 'sh']) },
    });
  });

  it('a NUL in an argument is a bad argument', async () => {
    await expect(bench.run('node', ['a\0b'])).rejects.toMatchObject({
      kind: 'invalid_argument',
      facts: { parameter: 'args', problem: 'contains a NUL character' },
    });
  });

  it('so are arguments that the system finds too long', async () => {
    await expect(bench.run('node', ['x'.repeat(5_000_000)])).rejects.toMatchObject({
      kind: 'invalid_argument',
      facts: { parameter: 'args', problem: 'longer than the system allows (E2BIG)' },
    });
  });

  it('a program that has gone since it was found is not installed', async () => {
    await expect(start(join(bench.directory, 'gone'))).rejects.toMatchObject({
      kind: 'command_not_installed',
      facts: { command: 'tool', allowed: ['tool'], problem: expect.stringContaining('ENOENT') },
    });
  });

  it('nor is one that may not be executed', async () => {
    const file = join(bench.directory, 'plain');
    writeFileSync(file, '#!/bin/sh\n', { mode: 0o644 });
    await expect(start(file)).rejects.toMatchObject({
      kind: 'command_not_installed',
      facts: { command: 'tool', problem: expect.stringContaining('EACCES') },
    });
    rmSync(file);
  });
});

function start(file: string, options: Partial<Program> = {}) {
  return runProgram({
    file,
    command: 'tool',
    allowed: ['tool'],
    args: [],
    cwd: bench.directory,
    env: {},
    marker: 'none',
    timeoutMs: TO_BEGIN_MS,
    maxOutputBytes: 1024,
    signal: new AbortController().signal,
    onProgress: () => {},
    ...options,
  });
}
