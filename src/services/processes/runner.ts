/**
 * Runs one program to its end:
 * 1. start it (see start-program), after its guard, if it runs in a sandbox;
 * 2. read both outputs all the time, keeping no more than the cap, so that the program never blocks on us;
 * 3. wait for its exit, the time-out, the caller's cancellation or the guard's alarm, whichever comes first;
 * 4. after an exit, give the pipes a moment to close: a background child may hold them;
 * 5. end the whole tree, take what is still in the pipes, let the guard clean up, and answer.
 * Every wait after step 3 is bounded: the answer comes at most about a second after the time-out.
 */
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { Fault } from '../../contract/fault';
import type { CommandOutcome } from '../../contract/ports';
import type { Confinement, Guard } from './confinement';
import { followInner, type InnerProcess } from './inner-process';
import { captureOutputs, type Outputs } from './output';
import type { SpawnSubject } from './spawn-fault';
import { startProgram } from './start-program';

const PIPE_GRACE_MS = 250;
const EXIT_GRACE_MS = 400;
export const PROGRESS_EVERY_MS = 1000;
/** How a sandbox says that the command was ended by a signal. */
const SIGNALLED_EXIT = 128;

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
  /** Present when the program is a sandbox with the command inside. */
  readonly confinement?: Confinement;
}

export interface ProgramProgress {
  readonly elapsedMs: number;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** The last line of the output that spoke last, at most 200 characters. */
  readonly lastLine: string;
}

type Ending = Pick<CommandOutcome, 'exitCode' | 'signal'>;
type Cause = 'exit' | 'timeout' | 'cancel' | 'trespass';

export async function runProgram(program: Program): Promise<CommandOutcome> {
  if (program.signal.aborted) throw cancelled(program.signal);
  const guard = program.confinement?.guard();
  const [run] = await Promise.allSettled([runGuarded(program, guard)]);
  // What the command must not do outweighs how it ended.
  const trespass = await guard?.settle();
  if (trespass) throw trespass;
  if (run.status === 'rejected') throw run.reason;
  return run.value;
}

async function runGuarded(program: Program, guard: Guard | undefined): Promise<CommandOutcome> {
  const { child, tree, stdout, stderr, reports } = await startProgram(program);
  const inner = reports && followInner(reports, tree.command);
  const output = captureOutputs({ stdout, stderr }, program.maxOutputBytes);
  const exited = exitOf(child);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stopProgress = reportProgress(program.onProgress, output);

  const cause = await firstOf(exited, guard, program);
  if (cause === 'exit') await within(closed, PIPE_GRACE_MS);
  const inside = await inner?.end({ ask: cause === 'timeout' || cause === 'cancel' });
  // The sandbox is about to say how the command ended: a signal now would be taken for that.
  if (inside?.gone) await within(exited, EXIT_GRACE_MS);
  // The sandbox has ended, and the kernel has ended all that was inside: there is no need to look for it.
  if (cause === 'exit' && inside?.gone) tree.forget();
  else await tree.end();
  await within(closed, PIPE_GRACE_MS);
  stopProgress();
  for (const stream of child.stdio) stream?.destroy();

  if (cause === 'cancel') throw cancelled(program.signal);
  // A process that even SIGKILL does not end at once hangs in the kernel; the answer does not wait for it.
  const ending = (await within(exited, 0)) ?? { exitCode: null, signal: 'SIGKILL' };
  return outcomeOf(program, { ending, cause, output, inner });
}

function outcomeOf(
  { confinement }: Program,
  run: { ending: Ending; cause: Cause; output: Outputs; inner: InnerProcess | undefined },
): CommandOutcome {
  const { ending, cause, output, inner } = run;
  const stdout = output.stdout.finish();
  const stderr = output.stderr.finish();
  const failed = cause === 'exit' && ending.exitCode !== null && !inner?.hasEnded();
  if (confinement && failed) throw confinement.explain(stderr.text);
  return {
    ...(confinement && cause !== 'exit' ? signalOf(ending) : ending),
    timedOut: cause === 'timeout',
    stdout: stdout.text,
    stderr: stderr.text,
    stdoutTruncated: stdout.truncated,
    stderrTruncated: stderr.truncated,
  };
}

/** A command in a sandbox that we ended: which signal it heeded. */
function signalOf(ending: Ending): Ending {
  const number = (ending.exitCode ?? 0) - SIGNALLED_EXIT;
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return name === undefined ? ending : { exitCode: null, signal: name };
}

function exitOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })));
}

async function firstOf(exited: Promise<Ending>, guard: Guard | undefined, program: Program): Promise<Cause> {
  const done = new AbortController();
  try {
    return await new Promise((resolve) => {
      exited.then(() => resolve('exit'));
      guard?.tripped.then(() => resolve('trespass'));
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

export function cancelled({ reason }: AbortSignal): Fault {
  const text = reason instanceof Error ? reason.message : reason;
  return new Fault('cancelled', { reason: typeof text === 'string' && text !== '' ? text : 'cancelled by the caller' });
}
