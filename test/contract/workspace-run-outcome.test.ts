import { mkdirSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { openClient } from '../harness/client';
import { eachWay } from '../harness/each-way';
import { makeWorkspace } from '../harness/workspace';
import { ask, type Envelope, invalid, isAlive, ONE_WAY, success } from './workspace-envelope';
import { DEFAULT_COMMANDS, LASTING, notAllowed, QUIET, text } from './workspace-run-answers';

/** A program that leaves a child in a session of its own, and says its number. */
const CHILD = `const {spawn}=require('node:child_process');
  const child=spawn(process.execPath,['-e','setTimeout(()=>{},3e5)'],{detached:true,stdio:STDIO});
  child.unref(); console.log(child.pid);`;

eachWay(
  'run_command',
  {},
  (stage) => {
    const run = (args: object) => ask(stage.client, 'run_command', args);
    const node = (script: string, more: object = {}) => run({ command: 'node', args: ['-e', script], ...more });
    const ended = (script: string, more: object) =>
      success({ ...QUIET, command: 'node', args: ['-e', script], ...more });

    describe('how it ended', () => {
      it.each([0, 1, 3, 255])('exit code %i is a normal result [workspace.run.ok-anyway]', async (exitCode) => {
        const script = `process.exitCode = ${exitCode}`;
        expect(await node(script)).toEqual(ended(script, { exitCode }));
      });

      it('a signal is named [workspace.run.ok-anyway]', async () => {
        const script = 'process.kill(process.pid, "SIGKILL")';
        expect(await node(script)).toEqual(ended(script, { exitCode: null, signal: 'SIGKILL' }));
      });
    });

    // Time enough for the program to begin, on a busy machine too.
    const LATE_MS = 2500;
    describe.concurrent('what takes too long', () => {
      it('what was printed before the time-out is kept [workspace.run.security.timeout]', async () => {
        const script = 'console.log("so far"); console.error("and here"); setTimeout(()=>{},1e5)';
        expect(await node(script, { timeoutMs: LATE_MS })).toEqual(
          ended(script, {
            exitCode: null,
            signal: 'SIGTERM',
            timedOut: true,
            stdout: 'so far\n',
            stderr: 'and here\n',
          }),
        );
      });

      it('a program that ignores the signal is ended all the same [workspace.run.security.timeout]', async () => {
        const script = 'process.on("SIGTERM", () => {}); console.log("deaf"); setInterval(()=>{},1e5)';
        const began = performance.now();
        expect(await node(script, { timeoutMs: LATE_MS })).toEqual(
          ended(script, { exitCode: null, signal: 'SIGKILL', timedOut: true, stdout: 'deaf\n' }),
        );
        expect(performance.now() - began).toBeLessThan(8000);
      });

      it('the tree of a program ends with it [workspace.run.tree-ends]', async () => {
        const { data } = await node(`${CHILD.replace('STDIO', '"ignore"')} setTimeout(()=>{},1e5)`, {
          timeoutMs: LATE_MS,
        });
        expect(data).toMatchObject({ timedOut: true, stdout: text(/^\d+\n$/) });
        expect(isAlive(Number(data?.stdout))).toBe(false);
      });
    });

    describe('the process tree', () => {
      it.each(['"ignore"', '"inherit"'])(
        'ends with the call, also a child in a session of its own (stdio %s) [workspace.run.tree-ends]',
        async (stdio) => {
          const { data } = await node(CHILD.replace('STDIO', stdio));
          expect(data).toMatchObject({ exitCode: 0, timedOut: false, stdout: text(/^\d+\n$/) });
          expect(isAlive(Number(data?.stdout))).toBe(false);
        },
      );

      it('ends with the server [workspace.run.tree-ends]', async () => {
        const workspace = makeWorkspace();
        const client = await openClient({ door: 'stdio', era: 'legacy' }, { root: workspace.root });
        const call = client.call('run_command', { command: 'node', args: ['-e', LASTING], timeoutMs: 60_000 });
        const refused = expect(call).rejects.toThrow();
        const pids = await vi.waitFor(() => JSON.parse(workspace.read('pids.json')) as number[], {
          timeout: 15_000,
          interval: 20,
        });
        await client.close();
        await refused;
        await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), { timeout: 5000, interval: 20 });
        workspace.remove();
      });
    });

    describe('the output', () => {
      it('is cut at the cap, at a character, and marked; each by itself [workspace.run.security.truncation, workspace.run.truncation-marked]', async () => {
        const script = 'process.stdout.write("a" + "é".repeat(1000)); process.stderr.write("b".repeat(1024))';
        expect(await node(script, { maxOutputBytes: 1024 })).toEqual(
          ended(script, {
            stdout: `a${'é'.repeat(511)}\n[… 978 more bytes dropped]`,
            stderr: 'b'.repeat(1024),
            stdoutTruncated: true,
          }),
        );
        const other = 'process.stderr.write("b".repeat(1025))';
        expect(await node(other, { maxOutputBytes: 1024 })).toEqual(
          ended(other, { stderr: `${'b'.repeat(1024)}\n[… 1 more bytes dropped]`, stderrTruncated: true }),
        );
      });

      it('is cut at 65,536 bytes by default and at 262,144 at most [workspace.run.defaults]', async () => {
        const script = 'process.stdout.write("x".repeat(300000))';
        expect((await node(script)).data?.stdout).toBe(
          `${'x'.repeat(65_536)}\n[… ${300_000 - 65_536} more bytes dropped]`,
        );
        expect((await node(script, { maxOutputBytes: 262_144 })).data?.stdout).toBe(
          `${'x'.repeat(262_144)}\n[… ${300_000 - 262_144} more bytes dropped]`,
        );
      });

      it('past the cap does not hold the command up [workspace.run.security.truncation]', async () => {
        const script = 'for (let i = 0; i < 64; i++) require("node:fs").writeSync(1, "x".repeat(1 << 20))';
        expect(await node(script, { maxOutputBytes: 1024 })).toMatchObject({
          data: { exitCode: 0, timedOut: false, stdoutTruncated: true, stdout: text(/\[… 67107840 more bytes/) },
        });
      });
    });

    describe('what it is given', () => {
      it('arguments as they were sent, by no shell [workspace.run.security.no-shell]', async () => {
        const args = [
          '-p',
          'JSON.stringify(process.argv.slice(1))',
          '--',
          '$HOME',
          '`id`',
          '; id',
          '*',
          '',
          '"',
          '--x=é',
        ];
        const { data } = await run({ command: 'node', args });
        expect([data?.args, JSON.parse(String(data?.stdout))]).toEqual([args, args.slice(3)]);
        expect(await run({ command: 'node', args: ['--version; id'] })).toMatchObject({
          ok: true,
          data: { exitCode: 9 },
        });
      });

      it('no input [workspace.run.stdin]', async () => {
        const script = 'process.stdout.write(String(require("node:fs").readFileSync(0).length))';
        expect(await node(script)).toEqual(ended(script, { stdout: '0' }));
      });

      it('the directory that was asked for, the workspace by default [workspace.run.defaults, workspace.run.security.cwd]', async () => {
        mkdirSync(stage.workspace.path('sub/deep'), { recursive: true });
        const script = 'console.log(process.cwd()); console.log(process.env.PWD)';
        for (const [cwd, path] of [
          [undefined, stage.workspace.root],
          ['.', stage.workspace.root],
          ['workspace/sub/deep/', stage.workspace.path('sub/deep')],
        ]) {
          const shown = cwd?.includes('sub') ? 'sub/deep' : '.';
          expect(await node(script, { cwd })).toEqual(ended(script, { cwd: shown, stdout: `${path}\n${path}\n` }));
        }
      });
    });

    describe('the allowlist', () => {
      it('is node, npm, npx, python3, pytest and tsc, which the refusal says [workspace.run.allowlist, workspace.details]', async () => {
        expect((await run({ command: 'git' })).error?.details.allowed).toEqual(DEFAULT_COMMANDS);
        for (const command of ['npx', 'python3'])
          expect(await run({ command, args: ['--version'] })).toMatchObject({ ok: true, data: { exitCode: 0 } });
      });

      it.each([
        'sh',
        'git',
        'env',
        '/bin/sh',
        '/usr/bin/node',
        './node',
        '../node',
        'bin/node',
        'NODE',
        'Node',
        'node.exe',
        'node ',
        ' node',
        '"node"',
        'node\n',
        'node\0',
        'node;id',
        'node|sh',
        'node --version',
        '$(node)',
        'nodе',
        'python',
        'toString',
        '__proto__',
      ])('%j is not on it [workspace.run.allowlist, workspace.run.error.COMMAND_NOT_ALLOWED]', async (command) => {
        expect(await run({ command, args: ['--version'] })).toEqual(notAllowed(command));
      });

      it('a long name is shown shortened [workspace.run.error.COMMAND_NOT_ALLOWED]', async () => {
        const answer = await run({ command: 'x'.repeat(10_000) });
        expect(answer).toEqual(notAllowed(`${'x'.repeat(99)}…`));
      });
    });

    describe('the limits', () => {
      it.each<[object, Envelope]>([
        [{ args: Array(65).fill('a') }, invalid('args', 'has more than 64 items')],
        [{ args: ['ok', 'a'.repeat(401)] }, invalid('args[1]', 'is longer than 400 characters')],
        [{ args: ['\u{1f600}'.repeat(401)] }, invalid('args[0]', 'is longer than 400 characters')],
        [{ args: 'x' }, invalid('args', 'must be an array, not a string')],
        [{ args: [1] }, invalid('args[0]', 'must be a string, not 1')],
        [{ timeoutMs: 99 }, invalid('timeoutMs', 'must be >= 100: 99')],
        [{ timeoutMs: 60_001 }, invalid('timeoutMs', 'must be <= 60000: 60001')],
        [{ timeoutMs: 100.5 }, invalid('timeoutMs', 'must be an integer, not 100.5')],
        [{ maxOutputBytes: 1023 }, invalid('maxOutputBytes', 'must be >= 1024: 1023')],
        [{ maxOutputBytes: 262_145 }, invalid('maxOutputBytes', 'must be <= 262144: 262145')],
        [{ command: 7 }, invalid('command', 'must be a string, not 7')],
        [{ cwd: null }, invalid('cwd', 'must be a string, not null')],
      ])('%j is outside [workspace.run.error.VALIDATION_ERROR]', async (args, refusal) => {
        expect(await run({ command: 'node', ...args })).toEqual(refusal);
      });

      it('a NUL character cannot be in an argument [workspace.run.error.VALIDATION_ERROR]', async () => {
        expect((await run({ command: 'node', args: ['a\0b'] })).error).toMatchObject({
          code: 'VALIDATION_ERROR',
          details: { parameter: 'args' },
        });
      });

      it('64 arguments of 400 characters are inside, whatever the characters [workspace.run.input]', async () => {
        const args = ['-p', 'process.argv.length', ...Array(62).fill('\u{1f600}'.repeat(400))];
        expect((await run({ command: 'node', args })).data).toMatchObject({ exitCode: 0, stdout: '63\n' });
      });
    });

    it('the log has the tool, the status and the error code, and nothing of the command [workspace.run.security.log]', async () => {
      await node('console.log("printed-" + "by-it")');
      await run({ command: 'forbidden-name' });
      const lastLine = () => JSON.parse(stage.client.log().trim().split('\n').at(-1) ?? '') as object;
      await vi.waitFor(() =>
        expect(lastLine()).toEqual({
          level: expect.anything(),
          time: expect.any(String),
          client: 'tenon-test 1.0.0',
          tool: 'run_command',
          status: 'error',
          code: 'COMMAND_NOT_ALLOWED',
          ms: expect.any(Number),
        }),
      );
      for (const word of ['printed-', 'by-it', 'forbidden-name']) expect(stage.client.log()).not.toContain(word);
    });
  },
  ONE_WAY,
);
