/** What the system says of a running process. Linux; elsewhere there is no figure. */
import { readdirSync, readFileSync } from 'node:fs';

const NANOSECONDS_PER_MS = 1e6;
const KB_PER_MB = 1024;

/** Processor time of all its threads so far, in ms: finer than the ticks of /proc/PID/stat. */
export function cpuMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const spent = threads.map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    );
    return spent.reduce((sum, each) => sum + each, 0) / NANOSECONDS_PER_MS;
  } catch {
    return Number.NaN;
  }
}

/** Resident memory in MB. */
export function memoryMb(pid: number): number {
  return statusMb(pid, /^VmRSS:\s+(\d+)/m);
}

/** The most that it ever was. */
export function peakMemoryMb(pid: number): number {
  return statusMb(pid, /^VmHWM:\s+(\d+)/m);
}

function statusMb(pid: number, line: RegExp): number {
  try {
    return Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / KB_PER_MB;
  } catch {
    return Number.NaN;
  }
}
