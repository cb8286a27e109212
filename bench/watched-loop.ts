/** The event loop of another process, watched from inside by `loop-probe.cjs`. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { repository } from '../test/harness/binary';
import { cleanEnvironment } from './clean-environment';

/** A time for which a loop stood still. Where the system does not tell of its parts they are missing. */
export interface Standstill {
  readonly from: number;
  readonly to: number;
  readonly computedMs?: number;
  readonly queuedMs?: number;
}

const LOOK_EVERY_MS = 5;
const LOOKS = 1_000;
const IDLE = 'setInterval(() => {}, 60_000); console.log("ready")';
const MAX_BYSTANDERS = 8;
const FIRST = ['chrt', '--fifo', '1'] as const;

/** How a process is started so that it can be asked. `file` is where it answers. */
export function probed(file: string): { flags: string[]; env: Record<string, string> } {
  return { flags: ['--require', join(repository, 'bench', 'loop-probe.cjs')], env: { LOOP_PROBE_FILE: file } };
}

/** Since it was last asked. */
export async function standstills(pid: number, file: string): Promise<Standstill[]> {
  process.kill(pid, 'SIGUSR2');
  for (let left = LOOKS; left > 0 && !existsSync(file); left--) await pause(LOOK_EVERY_MS);
  const found = JSON.parse(readFileSync(file, 'utf8')) as Standstill[];
  rmSync(file);
  return found;
}

export interface Bystanders {
  /** Of all of them, since they were last asked. */
  standstills(): Promise<Standstill[]>;
  stop(): void;
}

/**
 * Processes that do nothing, one on each processor: when one of them stands still, that processor does. Where it is
 * allowed, they come before all others, so that they wait for nobody.
 */
export async function startBystanders(file: string): Promise<Bystanders> {
  const count = Math.min(availableParallelism(), MAX_BYSTANDERS);
  const places = Array.from({ length: count }, (_, at) => `${file}-beside-${at}`);
  const children = places.map((place, at) => startBystander(place, at));
  await Promise.all(children.map(({ stdout }) => stdout && once(stdout, 'data')));
  return {
    async standstills() {
      return (await Promise.all(children.map(({ pid = 0 }, at) => standstills(pid, places[at] ?? '')))).flat();
    },
    stop: () => children.forEach((child) => void child.kill('SIGKILL')),
  };
}

/** taskset and chrt become what they start. */
function startBystander(file: string, processor: number): ChildProcess {
  const { flags, env } = probed(file);
  const first = spawnSync(FIRST[0], [...FIRST.slice(1), 'true']).status === 0 ? FIRST : [];
  return spawn('taskset', ['-c', String(processor), ...first, process.execPath, ...flags, '-e', IDLE], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...cleanEnvironment(), ...env },
  });
}
