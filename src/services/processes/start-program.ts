/**
 * Starts a program without a shell and without input, as the leader of its own group. A sandbox gets its descriptors
 * besides: what it is handed, and one on which it reports.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { Fault } from '../../contract/fault';
import type { Confinement } from './confinement';
import type { Program } from './runner';
import { spawnFault } from './spawn-fault';

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** What the sandbox reports; undefined without one. */
  readonly reports: Readable | undefined;
}

/** The first descriptor after the standard ones. */
const FIRST_EXTRA = 3;

export async function startProgram(program: Program): Promise<Started> {
  if (program.args.some((arg) => arg.includes('\0'))) {
    throw new Fault('invalid_argument', {
      parameter: 'args',
      problem: 'contains a NUL character',
      expected: 'arguments without NUL characters',
    });
  }
  const child = spawnOrFault(program);
  const failed = new Promise<unknown>((resolve) => child.on('error', resolve));
  const { stdout, stderr } = child;
  if (child.pid === undefined || stdout === null || stderr === null) throw spawnFault(await failed, program);
  return {
    child,
    pid: child.pid,
    stdout,
    stderr,
    reports: program.confinement && handOver(child, program.confinement),
  };
}

function spawnOrFault(program: Program): ChildProcess {
  const nothing = program.confinement && openSync('/dev/null', 'r');
  try {
    return spawn(program.file, program.args, {
      cwd: program.cwd,
      env: program.env,
      shell: false,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', ...extraDescriptors(program.confinement, nothing)],
      windowsHide: true,
    });
  } catch (error) {
    throw spawnFault(error, program);
  } finally {
    if (nothing !== undefined) closeSync(nothing);
  }
}

/** A pipe for each thing handed over and one for the reports; nothing in place of what we were given ourselves. */
export function extraDescriptors(
  confinement: Pick<Confinement, 'handed' | 'masked'> | undefined,
  nothing: number | undefined,
): ('pipe' | 'ignore' | number)[] {
  if (!confinement || nothing === undefined) return [];
  const { handed, masked } = confinement;
  const extra: ('pipe' | 'ignore' | number)[] = [...handed, 'reports'].map(() => 'pipe');
  for (const descriptor of masked) {
    const index = descriptor - FIRST_EXTRA;
    if (index <= handed.length) continue;
    while (extra.length < index) extra.push('ignore');
    extra[index] = nothing;
  }
  return extra;
}

/** Gives the sandbox what it is handed; what it reports comes back. */
export function handOver(child: ChildProcess, { handed }: Pick<Confinement, 'handed'>): Readable | undefined {
  handed.forEach((bytes, index) => {
    const stream = child.stdio[FIRST_EXTRA + index];
    if (!(stream instanceof Writable)) return;
    // A sandbox that ended at once has left something unread.
    stream.on('error', () => {});
    stream.end(bytes, () => stream.destroy());
  });
  const reports = child.stdio[FIRST_EXTRA + handed.length];
  return reports instanceof Readable ? reports : undefined;
}
