/**
 * Starts a program without a shell and without input, as the leader of its own group. A sandbox gets its descriptors
 * besides (see handed-descriptors).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { Fault } from '../../contract/fault';
import { type HandedDescriptors, handOver, openHanded } from './handed-descriptors';
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
  let handed: HandedDescriptors | undefined;
  try {
    handed = program.confinement && openHanded(program.confinement);
    return spawn(program.file, program.args, {
      cwd: program.cwd,
      env: program.env,
      shell: false,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', ...(handed?.extra ?? [])],
      windowsHide: true,
    });
  } catch (error) {
    throw spawnFault(error, program);
  } finally {
    handed?.close();
  }
}
