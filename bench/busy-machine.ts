import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { watchProcessors } from '../src/services/processes/idle-processors';

const LOOK_MS = 1_000;
const MAX_BUSY_SHARE = 0.5;

/** Whether others keep the processors busy, seen while the bench itself rests. Ratios mean little then. */
export async function isBusy(): Promise<boolean> {
  const idle = watchProcessors();
  await pause(LOOK_MS);
  return 1 - idle() / cpus().length > MAX_BUSY_SHARE;
}

/** The unit of /proc/stat. */
const TICK_MS = 10;
const STOLEN_FIELD = 8;
const MAX_STOLEN_SHARE = 0.02;

/** Tells whether a virtual machine was taken off its processors for much of the time since: others are served then. */
export function watchStolen(): () => boolean {
  const [began, before] = [performance.now(), stolenMs()];
  return () => (stolenMs() - before) / cpus().length / (performance.now() - began) > MAX_STOLEN_SHARE;
}

function stolenMs(): number {
  return process.platform === 'linux' ? stolenMsIn(readFileSync('/proc/stat', 'utf8')) : 0;
}

/** Of all processors together, since the start. */
export function stolenMsIn(stat: string): number {
  const [ofAll = ''] = stat.split('\n', 1);
  return Number(ofAll.split(/\s+/)[STOLEN_FIELD] ?? 0) * TICK_MS;
}
