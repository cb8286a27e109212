/**
 * Tries the whole plan once with a program that does nothing: whether this system lets bubblewrap make such a sandbox,
 * and which options the installed version lacks.
 */
import { spawn } from 'node:child_process';
import type { Handed } from '../confinement';
import { handOver, openHanded } from '../handed-descriptors';
import { DISPENSABLE } from './bubblewrap';
import { explainFailure, NOT_INSTALLED, type Unavailable } from './probe-failure';

const LIMIT_MS = 10_000;

export type ProbeResult = { readonly lacking: readonly string[] } | Unavailable;

export async function probe(
  bwrap: string,
  trial: { argumentsWithout(lacking: readonly string[]): readonly string[]; handed: readonly Handed[] },
): Promise<ProbeResult> {
  const lacking: string[] = [];
  for (;;) {
    const { status, stderr } = await attempt(bwrap, trial.argumentsWithout(lacking), trial.handed);
    if (status === 'exit 0') return { lacking };
    if (status === 'ENOENT') return NOT_INSTALLED;
    const unknown = /Unknown option (--[\w-]+)/.exec(stderr)?.[1];
    if (unknown === undefined || !DISPENSABLE.includes(unknown) || lacking.includes(unknown))
      return explainFailure(stderr, status);
    lacking.push(unknown);
  }
}

function attempt(
  bwrap: string,
  args: readonly string[],
  handed: readonly Handed[],
): Promise<{ status: string; stderr: string }> {
  return new Promise((resolve) => {
    const { extra, close } = openHanded({ handed, masked: [] });
    const child = spawn(bwrap, args, {
      cwd: '/',
      env: {},
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', ...extra],
    });
    close();
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    handOver(child, { handed })?.resume();
    const limit = setTimeout(() => killGroup(child.pid), LIMIT_MS);
    child.once('error', (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? error.message, stderr }));
    // One that fails half way may leave a process that waits for it.
    child.once('exit', () => killGroup(child.pid));
    child.once('close', (code, signal) => {
      clearTimeout(limit);
      resolve({ status: signal ?? `exit ${code}`, stderr });
    });
  });
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
}
