/** What the servers that stayed up hold after all the workloads before. */
import { setTimeout as pause } from 'node:timers/promises';
import { memoryMb } from '../process-stats';
import type { Cell } from '../results';
import type { Family } from '../workload';

export const MEMORY_AT_END = 'memory after all of it, MB';

const IDLE_MS = 1_000;

export const memory: Family = {
  name: 'memory',
  workloads: [MEMORY_AT_END],
  async run({ sessions }) {
    if (sessions.running().size === 0) return []; // Asked for alone: nothing has been done.
    await pause(IDLE_MS);
    const cells = [...sessions.running()].map(([name, { wire }]): [string, Cell] => {
      const megabytes = memoryMb(wire.pid);
      const note = sessions.starts(name) > 1 ? { note: 'started anew on the way' } : {};
      return [name, { rounds: [megabytes], p50: megabytes, ...note }];
    });
    return [{ workload: MEMORY_AT_END, cells: Object.fromEntries(cells) }];
  },
};
