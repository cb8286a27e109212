import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { MOST_AFTER_MS, makeBench, survivors, timed } from './run-helper';

const bench = makeBench();
afterAll(bench.dispose);
afterEach(() => expect(survivors(bench.directory)).toEqual([]));

const STUBBORN = `sh -c "trap '' TERM; while :; do sleep 0.05; done"`;

describe.runIf(process.platform === 'linux')('the whole tree ends with the call', () => {
  it('a tree of sleeps, at the time-out', async () => {
    const script = '(sleep 60; sleep 60) & (sleep 60 | sleep 60) & sh -c "sleep 60 & sleep 60" & sleep 60';
    const { value, elapsedMs } = await timed(() => bench.sh(script, { timeoutMs: 300 }));
    expect(value.timedOut).toBe(true);
    expect(elapsedMs).toBeLessThan(300 + MOST_AFTER_MS);
  });

  it('children that ignore SIGTERM', async () => {
    const { value, elapsedMs } = await timed(() => bench.sh(`${STUBBORN} & ${STUBBORN} & wait`, { timeoutMs: 300 }));
    expect(value).toMatchObject({ timedOut: true, signal: 'SIGTERM' });
    expect(elapsedMs).toBeLessThan(300 + MOST_AFTER_MS);
  });

  it('children that left the session, stubborn ones too', async () => {
    const script = `setsid sleep 60 & setsid ${STUBBORN} & setsid setsid sh -c "setsid sleep 60 & sleep 60" & wait`;
    const { value, elapsedMs } = await timed(() => bench.sh(script, { timeoutMs: 300 }));
    expect(value.timedOut).toBe(true);
    expect(elapsedMs).toBeLessThan(300 + MOST_AFTER_MS);
  });

  it('a child that left the session and dropped its environment, as long as its parent is there', async () => {
    const { value } = await timed(() => bench.sh('env -i setsid sleep 60 & sleep 60', { timeoutMs: 300 }));
    expect(value.timedOut).toBe(true);
  });

  it('a background child that holds the pipe does not hold the answer', async () => {
    const { value, elapsedMs } = await timed(() => bench.sh('sleep 60 & echo hi'));
    expect(value).toMatchObject({ exitCode: 0, timedOut: false, stdout: 'hi\n' });
    expect(elapsedMs).toBeLessThan(MOST_AFTER_MS);
  });

  it('a background child gets a moment to finish its output', async () => {
    expect((await bench.sh('(sleep 0.05; echo late) & echo hi')).stdout).toBe('hi\nlate\n');
  });

  it('a background child that an ordinary end leaves behind', async () => {
    const { value, elapsedMs } = await timed(() => bench.sh('sleep 60 >/dev/null 2>&1 & echo hi'));
    expect(value).toMatchObject({ exitCode: 0, stdout: 'hi\n' });
    expect(elapsedMs).toBeLessThan(MOST_AFTER_MS);
  });

  it('one that leaves the session just as the command ends', async () => {
    for (let round = 0; round < 25; round++) {
      await bench.sh('setsid sleep 60 >/dev/null 2>&1 & exit 0');
      expect(survivors(bench.directory)).toEqual([]);
    }
  });

  it('descendants that keep forking', async () => {
    const fork = 'f() { setsid sh -c "sleep 0.01; sleep 60" >/dev/null 2>&1 & sleep 0.005; f; }; f';
    const { value } = await timed(() => bench.sh(fork, { timeoutMs: 400 }));
    expect(value.timedOut).toBe(true);
  });

  it('a command beside it goes on', async () => {
    const beside = bench.sh('sleep 0.8; echo unharmed');
    await bench.sh('sleep 60', { timeoutMs: 200 });
    expect((await beside).stdout).toBe('unharmed\n');
  });
});

describe.runIf(process.platform === 'linux')('in a server of its own', () => {
  it('everything ends when the server exits', () => {
    const { status } = inServer(`
      run('setsid sleep 60 & sleep 60 & sleep 60');
      setTimeout(() => process.exit(5), 300);
    `);
    expect(status).toBe(5);
    expect(survivors(bench.directory)).toEqual([]);
  });

  it('a flood is counted to the last byte in little memory', () => {
    const { stdout } = inServer(`
      await run('echo warm');
      const before = process.resourceUsage().maxRSS;
      const { exitCode, stdout } = await run('yes | head -c 300000000');
      const grownMb = Math.round((process.resourceUsage().maxRSS - before) / 1024);
      process.stdout.write(JSON.stringify({ exitCode, end: stdout.slice(1022), grownMb }));
    `);
    const { grownMb, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ exitCode: 0, end: 'y\n[… 299998976 more bytes dropped]' });
    expect(grownMb).toBeLessThan(50);
  });

  it('a flood that never ends is ended by the time-out', () => {
    const { stdout } = inServer(`
      const before = performance.now();
      const { timedOut } = await run('yes & yes >&2', 1000);
      process.stdout.write(JSON.stringify({ timedOut, late: performance.now() - before > 2000 }));
    `);
    expect(JSON.parse(stdout)).toEqual({ timedOut: true, late: false });
  });

  function inServer(body: string) {
    const outfile = join(bench.directory, 'server.mjs');
    const contents = `
      import { commandEnvironment } from './src/services/processes/environment';
      import { runProgram } from './src/services/processes/runner';
      const directory = ${JSON.stringify(bench.directory)};
      function run(script, timeoutMs = 20000) {
        const { variables, marker } = commandEnvironment({ server: {}, path: ${JSON.stringify(process.env.PATH)}, directory });
        return runProgram({
          file: '/bin/sh', command: 'sh', allowed: [], args: ['-c', script], cwd: directory, env: variables, marker,
          timeoutMs, maxOutputBytes: 1024, signal: new AbortController().signal, onProgress() {},
        });
      }
      ${body}`;
    const source = { contents, resolveDir: process.cwd(), loader: 'ts' as const };
    buildSync({ stdin: source, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
    return spawnSync(process.execPath, [outfile], { encoding: 'utf8', timeout: 25_000 });
  }
});
