/**
 * Linux: finds the living processes of one command in /proc. A process belongs to it when it is in the command's
 * session or group, when its environment carries the marker (it left the session but was started by the command), or
 * when its parent belongs to it. Only processes at least as young as the command are looked at closely, so that an
 * innocent one with a recycled number is never meant.
 *
 * Not found: a process that left the session, dropped its environment, and outlived its parent.
 */
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import type { Steps } from '../../text/steps';
import { MARKER_VARIABLE } from './environment';

/** More than the longest line of numbers. */
const STAT_BYTES = 1024;
const MAX_LISTS = 10;

export interface CommandIdentity {
  /** The command's process, the leader of its session and group. */
  readonly pid: number;
  readonly marker: string;
  /** When it started, in the kernel's ticks. */
  readonly startedTicks: number;
}

export interface Descendants {
  /** Whether anyone is left in the command's own group. */
  readonly inGroup: boolean;
  /** The processes outside that group. */
  readonly strays: readonly number[];
  /** Some process was just replacing its program: its environment cannot be read at that moment. Look again. */
  readonly unsure: boolean;
}

export interface ProcessRow {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startedTicks: number;
}

/** Undefined where there is no /proc. In steps: there may be thousands. */
export function* findDescendants(command: CommandIdentity): Steps<Descendants | undefined> {
  const rows = yield* youngProcesses(command.startedTicks);
  if (rows === undefined) return undefined;
  const members = new Set<number>();
  let unsure = false;
  for (const row of rows) {
    yield;
    if (row.group === command.pid || row.session === command.pid) members.add(row.pid);
    else {
      const environment = readEnvironment(row.pid);
      if (environment === '') unsure = true;
      if (environment?.includes(`${MARKER_VARIABLE}=${command.marker}`)) members.add(row.pid);
    }
  }
  addChildren(rows, members);
  const strays = rows.filter((row) => members.has(row.pid) && row.group !== command.pid).map((row) => row.pid);
  return { inGroup: strays.length < members.size, strays, unsure };
}

/** When a process started, in the kernel's ticks; 0 where it cannot be told. */
export function startedTicks(pid: number): number {
  return readRow(pid)?.startedTicks ?? 0;
}

/** Whether this very process still runs: not another with its number, and not one that only waits to be reaped. */
export function isAlive({ pid, startedTicks }: ProcessRow): boolean {
  const row = readRow(pid);
  return row !== undefined && row.startedTicks === startedTicks && !isDead(row);
}

function addChildren(rows: readonly ProcessRow[], members: Set<number>): void {
  let before: number;
  do {
    before = members.size;
    for (const row of rows) if (members.has(row.parent)) members.add(row.pid);
  } while (members.size > before);
}

/**
 * Lists until the list brings nothing new: a process that ends while we read may leave a child that began after the
 * first list was made.
 */
function* youngProcesses(sinceTicks: number): Steps<ProcessRow[] | undefined> {
  const seen = new Set<number>();
  const rows: ProcessRow[] = [];
  for (let round = 0; round < MAX_LISTS; round++) {
    const fresh = listProcesses()?.filter((pid) => !seen.has(pid));
    if (fresh === undefined) return undefined;
    if (fresh.length === 0) break;
    for (const pid of fresh) {
      seen.add(pid);
      const row = readRow(pid);
      if (row) rows.push(row);
      yield;
    }
  }
  return rows.filter((row) => row.startedTicks >= sinceTicks && !isDead(row) && !isKernelThread(row));
}

function listProcesses(): number[] | undefined {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return undefined;
  }
}

function isDead({ state }: ProcessRow): boolean {
  return state === 'Z' || state === 'X';
}

function isKernelThread({ pid, parent }: ProcessRow): boolean {
  return parent === 2 || (pid === 2 && parent === 0);
}

/** Undefined when there is no such process. */
export function readRow(pid: number): ProcessRow | undefined {
  const text = readStat(pid);
  if (text === undefined) return undefined;
  // The program's name stands in brackets and may hold anything, brackets too.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent, group, session] = fields;
  return {
    pid,
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startedTicks: Number(fields[19]),
  };
}

/** Undefined when the process is gone. One read instead of readFileSync: half the cost of a scan. */
function readStat(pid: number): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(`/proc/${pid}/stat`, 'r');
    const buffer = Buffer.allocUnsafe(STAT_BYTES);
    return buffer.toString('latin1', 0, readSync(descriptor, buffer));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Undefined when the process is gone or not ours. */
function readEnvironment(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return undefined;
  }
}
