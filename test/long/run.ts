/** Runs a program to its end, or to its limit: what it said, and how it ended. */
import { spawn } from 'node:child_process';

export interface RunOptions {
  readonly limitMs: number;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export interface Ended {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function run(command: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that its children end with it.
      detached: process.platform !== 'win32',
      shell: process.platform === 'win32' && command === 'npm',
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      env: options.env ?? process.env,
    });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        said[stream] += text;
      });
    const limit = setTimeout(() => {
      said.stderr += `\n(killed after ${options.limitMs} ms)`;
      killGroup(child.pid);
    }, options.limitMs);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(limit);
      resolve({ code, ...said });
    });
  });
}

export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
