import { cpus } from 'node:os';

/** Gives what tells how many processors had nothing to do since it was last asked, in parts of one too. */
export function watchProcessors(): () => number {
  let before = spent();
  return () => {
    const after = spent();
    const idle = after.count - (after.busyMs - before.busyMs) / Math.max(1, after.atMs - before.atMs);
    before = after;
    return idle;
  };
}

/** The times in which something ran: who waits for a disk leaves the processor idle. */
function spent(): { count: number; busyMs: number; atMs: number } {
  const all = cpus();
  const busyMs = all.reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
  return { count: all.length, busyMs, atMs: performance.now() };
}
