/**
 * Starts a program without a shell and without input, as the leader of its own group. A sandbox gets its descriptors
 * besides: what it is handed, and one on which it reports.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { Fault } from '../../contract/fault';
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
  return { child, pid: child.pid, stdout, stderr, reports: handOver(child, program) };
}

function spawnOrFault(program: Program): ChildProcess {
  // One pipe for each thing handed over, and one for the reports.
  const extra = program.confinement ? [...program.confinement.handed, 'reports'].map(() => 'pipe' as const) : [];
  try {
    return spawn(program.file, program.args, {
      cwd: program.cwd,
      env: program.env,
      shell: false,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', ...extra],
      windowsHide: true,
    });
  } catch (error) {
    throw spawnFault(error, program);
  }
}

function handOver(child: ChildProcess, { confinement }: Program): Readable | undefined {
  if (!confinement) return undefined;
  confinement.handed.forEach((bytes, index) => {
    const stream = child.stdio[FIRST_EXTRA + index];
    if (!(stream instanceof Writable)) return;
    // A sandbox that ended at once has left something unread.
    stream.on('error', () => {});
    stream.end(bytes, () => stream.destroy());
  });
  const reports = child.stdio[FIRST_EXTRA + confinement.handed.length];
  return reports instanceof Readable ? reports : undefined;
}
