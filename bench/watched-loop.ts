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

/** The longest that a loop stood still; and of that, where the system tells: what else than this it can be is sleep. */
export interface Block {
  readonly ms: number;
  /** Its thread was on a processor. */
  readonly computedMs?: number;
  /** Its thread was ready, and others were on the processors. */
  readonly queuedMs?: number;
}

/** Since it was last asked. */
export async function longestBlock(pid: number, file: string): Promise<Block> {
  process.kill(pid, 'SIGUSR2');
  for (let left = LOOKS; left > 0 && !existsSync(file); left--) await pause(LOOK_EVERY_MS);
  const block = JSON.parse(readFileSync(file, 'utf8')) as Block;
  rmSync(file);
  return block;
}

export interface Bystander {
  longestBlock(): Promise<Block>;
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
