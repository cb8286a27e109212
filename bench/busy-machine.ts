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
