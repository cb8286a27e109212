import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 1_000;
const MAX_BUSY_SHARE = 0.5;

/** Whether others keep the processors busy, seen while the bench itself rests. Ratios mean little then. */
export async function isBusy(): Promise<boolean> {
  const before = spent();
  await pause(LOOK_MS);
  const after = spent();
  return 1 - (after.idle - before.idle) / (after.all - before.all) > MAX_BUSY_SHARE;
}

function spent(): { idle: number; all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (of: (each: (typeof times)[number]) => number) => times.reduce((total, each) => total + of(each), 0);
  return {
    idle: sum(({ idle }) => idle),
    all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
  };
}
