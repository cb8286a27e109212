/** Lets a system call of a running process fail, by strace. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';

const END_LIMIT_MS = 5_000;

export interface Injection {
  readonly systemCall: string;
  /** strace counts for each thread. */
  readonly threads: 'all' | 'main';
  readonly nth: number;
  readonly log: string;
}

export function canInject(): boolean {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Does the work while the n-th such call fails with EIO, and tells whether there was one. */
export async function withInjection<T>(
  pid: number,
  { systemCall, threads, nth, log }: Injection,
  work: () => Promise<T>,
): Promise<{ isInjected: boolean; result: T }> {
  const traced = [...(threads === 'all' ? ['-f'] : []), '-p', String(pid), '-e', `trace=${systemCall}`];
  const args = [...traced, '-e', `inject=${systemCall}:error=EIO:when=${nth}`, '-o', log];
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  await attached(tracer, log);
  const result = await work();
  await end(tracer);
  const isInjected = hasInjected(log);
  rmSync(log);
  return { isInjected, result };
}

/** One that cannot let go of a thread is killed, which lets go of it too. */
async function end(tracer: ChildProcess): Promise<void> {
  if (tracer.exitCode !== null || tracer.signalCode !== null) return;
  const ended = new Promise((resolve) => tracer.once('exit', resolve));
  tracer.kill('SIGINT');
  const limit = setTimeout(() => tracer.kill('SIGKILL'), END_LIMIT_MS);
  await ended;
  clearTimeout(limit);
}

function hasInjected(log: string): boolean {
  return existsSync(log) && readFileSync(log, 'utf8').includes('(INJECTED)');
}

/** A server may end of what fails at once, before it is given any work; strace ends with it. */
function attached(tracer: ChildProcess, log: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    tracer.stderr?.on('data', (chunk) => {
      said += chunk;
      if (said.includes('attached')) setTimeout(resolve, 20);
    });
    tracer.once('exit', () => (hasInjected(log) ? resolve() : reject(new Error(`strace ended: ${said}`))));
  });
}
