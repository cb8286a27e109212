/**
 * Starts a program without a shell and without input, as the leader of its own group. A sandbox gets its descriptors
 * besides (see handed-descriptors).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Confinement } from './confinement';
import { type HandedDescriptors, handOver, openHanded } from './handed-descriptors';
import { type ProcessTree, trackTree } from './process-tree';
import type { Program } from './runner';
import { spawnFault } from './spawn-fault';

export interface Started {
  readonly child: ChildProcess;
  readonly tree: ProcessTree;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** What the sandbox reports; undefined without one. */
  readonly reports: Readable | undefined;
}

/** What is asked of the system. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The random value by which the environment marks the descendants. */
  readonly marker: string;
  readonly confinement?: Pick<Confinement, 'handed' | 'masked'> | undefined;
}

export async function startProgram(program: Program): Promise<Started> {
  const ready = program.confinement?.ready();
  if (ready) return ready;
  const child = spawnOrFault(program);
  const failed = new Promise<unknown>((resolve) => child.on('error', resolve));
  const started = startedBy(child, program);
  if (!started) throw spawnFault(await failed, program);
  return started;
}

function spawnOrFault(program: Program): ChildProcess {
  try {
    return launch(program, { stdin: 'ignore' });
  } catch (error) {
    throw spawnFault(error, program);
  }
}

/** Throws what the system says, or lets the child say it by its `error`. */
export function launch({ file, args, cwd, env, confinement }: Launch, options: { stdin: 'ignore' | 'pipe' }) {
  let handed: HandedDescriptors | undefined;
  try {
    handed = confinement && openHanded(confinement);
    return spawn(file, args, {
      cwd,
      env,
      shell: false,
      detached: process.platform !== 'win32',
      stdio: [options.stdin, 'pipe', 'pipe', ...(handed?.extra ?? [])],
      windowsHide: true,
    });
  } finally {
    handed?.close();
  }
}

/** To be called in the same turn; undefined where the system refused. */
export function startedBy(child: ChildProcess, { marker, confinement }: Launch): Started | undefined {
  const { pid, stdout, stderr } = child;
  if (pid === undefined || stdout === null || stderr === null) return undefined;
  return { child, tree: trackTree(pid, marker), stdout, stderr, reports: confinement && handOver(child, confinement) };
}
