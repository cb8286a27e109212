/**
 * Runs one program to its end:
 * 1. spawn it without a shell, without input, as the leader of its own group;
 * 2. read both outputs all the time, keeping no more than the cap, so that the program never blocks on us;
 * 3. wait for its exit, the time-out or the caller's cancellation, whichever comes first;
 * 4. after an exit, give the pipes a moment to close: a background child may hold them;
 * 5. end the whole tree, take what is still in the pipes, and answer.
 * Every wait after step 3 is bounded: the answer comes at most about a second after the time-out.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { Fault } from '../../contract/fault';
import type { CommandOutcome } from '../../contract/ports';
import { captureOutputs, type Outputs } from './output';
import { trackTree } from './process-tree';
import { type SpawnSubject, spawnFault } from './spawn-fault';

const PIPE_GRACE_MS = 250;
const PROGRESS_EVERY_MS = 1000;

export interface Program extends SpawnSubject {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The random value by which the environment marks the descendants. */
  readonly marker: string;
  readonly timeoutMs: number;
  /** For each of the two outputs. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ProgramProgress) => void;
}

export interface ProgramProgress {
  readonly elapsedMs: number;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** The last line of the output that spoke last, at most 200 characters. */
  readonly lastLine: string;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;
type Ending = Pick<CommandOutcome, 'exitCode' | 'signal'>;

export async function runProgram(program: Program): Promise<CommandOutcome> {
  if (program.signal.aborted) throw cancelled(program.signal);
  const { child, pid } = await start(program);
  const tree = trackTree(pid, program.marker);
  const output = captureOutputs(child, program.maxOutputBytes);
  const exited = exitOf(child);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stopProgress = reportProgress(program.onProgress, output);

  const cause = await firstOf(exited, program);
  if (cause === 'exit') await within(closed, PIPE_GRACE_MS);
  await tree.end();
  await within(closed, PIPE_GRACE_MS);
  stopProgress();
  child.stdout.destroy();
  child.stderr.destroy();

  if (cause === 'cancel') throw cancelled(program.signal);
  // A process that even SIGKILL does not end at once hangs in the kernel; the answer does not wait for it.
  const ending = (await within(exited, 0)) ?? { exitCode: null, signal: 'SIGKILL' };
  const stdout = output.stdout.finish();
  const stderr = output.stderr.finish();
  return {
    ...ending,
    timedOut: cause === 'timeout',
    stdout: stdout.text,
    stderr: stderr.text,
    stdoutTruncated: stdout.truncated,
    stderrTruncated: stderr.truncated,
  };
}

async function start(program: Program): Promise<{ child: Child; pid: number }> {
  if (program.args.some((arg) => arg.includes('\0'))) {
    throw new Fault('invalid_argument', {
      parameter: 'args',
      problem: 'contains a NUL character',
      expected: 'arguments without NUL characters',
    });
  }
  let child: Child;
  try {
    child = spawn(program.file, program.args, {
      cwd: program.cwd,
      env: program.env,
      shell: false,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
  } catch (error) {
    throw spawnFault(error, program);
  }
  const failed = new Promise<unknown>((resolve) => child.on('error', resolve));
  if (child.pid === undefined) throw spawnFault(await failed, program);
  return { child, pid: child.pid };
}

function exitOf(child: Child): Promise<Ending> {
  return new Promise((resolve) => child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })));
}

async function firstOf(exited: Promise<Ending>, program: Program): Promise<'exit' | 'timeout' | 'cancel'> {
  const done = new AbortController();
  try {
    return await new Promise((resolve) => {
      exited.then(() => resolve('exit'));
      const timer = setTimeout(() => resolve('timeout'), program.timeoutMs);
      done.signal.addEventListener('abort', () => clearTimeout(timer));
      program.signal.addEventListener('abort', () => resolve('cancel'), { signal: done.signal });
    });
  } finally {
    done.abort();
  }
}

function reportProgress(report: Program['onProgress'], output: Outputs): () => void {
  const started = performance.now();
  const timer = setInterval(() => {
    report({
      elapsedMs: Math.round(performance.now() - started),
      stdoutBytes: output.stdout.total(),
      stderrBytes: output.stderr.total(),
      lastLine: output.lastLine(),
    });
  }, PROGRESS_EVERY_MS);
  return () => clearInterval(timer);
}

async function within<T>(wanted: Promise<T>, limitMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  return Promise.race([wanted, limit]).finally(() => clearTimeout(timer));
}

function cancelled({ reason }: AbortSignal): Fault {
  const text = reason instanceof Error ? reason.message : reason;
  return new Fault('cancelled', { reason: typeof text === 'string' && text !== '' ? text : 'cancelled by the caller' });
}
