/**
 * Lets contenders take turns in one run, a block each, in another order every round: what the machine does meanwhile
 * meets all of them alike. A ratio is then taken round by round.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cell, type Cells, Setback } from './results';
import { median, quantile } from './stats';
import { NoAnswer } from './wire';

export interface Contender {
  readonly name: string;
  /** It sits out the rounds after these. */
  readonly maxRounds?: number;
  /** It takes the pause before a block itself. */
  readonly pausesItself?: boolean;
  /** Before the first round; not timed. */
  warmUp?(): Promise<unknown>;
  /** One block of tries: the time of each in ms. */
  block(round: number): Promise<readonly number[]>;
  /** Processor time used so far, where it is a server that stays. */
  cpuMs?(): number;
  /** Called once when it drops out. */
  dropOut?(): Promise<void>;
}

interface InterleaveOptions {
  /** Before each block: what the one before does afterwards must not meet it. */
  readonly pauseMs?: number;
}

interface Log {
  readonly contender: Contender;
  readonly blocks: (readonly number[])[];
  cpuMs: number;
  word: string | undefined;
}

export async function interleave(
  contenders: readonly Contender[],
  rounds: number,
  { pauseMs = 0 }: InterleaveOptions = {},
): Promise<Cells> {
  const logs = contenders.map((contender): Log => ({ contender, blocks: [], cpuMs: 0, word: undefined }));
  for (const log of logs) await dropOutOnSetback(log, async () => log.contender.warmUp?.());
  for (let round = 0; round < rounds; round++)
    for (const log of rotated(logs, round).filter(({ contender }) => round < (contender.maxRounds ?? rounds))) {
      if (pauseMs > 0 && !log.contender.pausesItself) await sleep(pauseMs);
      await dropOutOnSetback(log, () => play(log, round));
    }
  return Object.fromEntries(logs.map((log) => [log.contender.name, cellFrom(log)]));
}

/** Repeats `once` up to `count` times, but starts no new one when the time is up. */
export async function repeat(
  { count, budgetMs }: { count: number; budgetMs: number },
  once: (at: number) => Promise<number>,
): Promise<number[]> {
  const deadline = performance.now() + budgetMs;
  const times: number[] = [];
  while (times.length < count && (times.length === 0 || performance.now() < deadline))
    times.push(await once(times.length));
  return times;
}

async function play(log: Log, round: number): Promise<void> {
  const before = log.contender.cpuMs?.() ?? Number.NaN;
  log.blocks.push(await log.contender.block(round));
  log.cpuMs += (log.contender.cpuMs?.() ?? Number.NaN) - before;
}

async function dropOutOnSetback(log: Log, work: () => Promise<unknown>): Promise<void> {
  if (log.word !== undefined) return;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Setback || error instanceof NoAnswer)) throw error;
    log.word = error.message;
    await log.contender.dropOut?.();
  }
}

function cellFrom({ blocks, cpuMs, word }: Log): Cell {
  if (word !== undefined) return { rounds: [], word };
  const tries = blocks.flat();
  const rounds = blocks.map(median);
  const perTry = cpuMs / tries.length;
  return {
    rounds,
    p50: median(rounds),
    p95: quantile(tries, 0.95),
    ...(Number.isFinite(perTry) && { cpuMs: perTry }),
  };
}

function rotated<T>(all: readonly T[], by: number): T[] {
  const at = by % all.length;
  return [...all.slice(at), ...all.slice(0, at)];
}
