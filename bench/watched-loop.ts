/** The event loop of another process, watched from inside by `loop-probe.cjs`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { repository } from '../test/harness/binary';
import { cleanEnvironment } from './clean-environment';

const LOOK_EVERY_MS = 5;
const LOOKS = 1_000;
const IDLE = 'setInterval(() => {}, 60_000); console.log("ready")';

/** How a process is started so that it can be asked. `file` is where it answers. */
export function probed(file: string): { flags: string[]; env: Record<string, string> } {
  return { flags: ['--require', join(repository, 'bench', 'loop-probe.cjs')], env: { LOOP_PROBE_FILE: file } };
}

/** The longest that its loop stood still since it was last asked. */
export async function longestBlock(pid: number, file: string): Promise<number> {
  process.kill(pid, 'SIGUSR2');
  for (let left = LOOKS; left > 0 && !existsSync(file); left--) await pause(LOOK_EVERY_MS);
  const ms = Number(readFileSync(file, 'utf8'));
  rmSync(file);
  return ms;
}

export interface Bystander {
  longestBlock(): Promise<number>;
  stop(): void;
}

/** A process that does nothing: when its loop stands still, it is the machine that lets it wait. */
export async function startBystander(file: string): Promise<Bystander> {
  const { flags, env } = probed(file);
  const child = spawn(process.execPath, [...flags, '-e', IDLE], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...cleanEnvironment(), ...env },
  });
  await once(child.stdout, 'data');
  return {
    longestBlock: () => longestBlock(child.pid ?? 0, file),
    stop: () => void child.kill('SIGKILL'),
  };
}
