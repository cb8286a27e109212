/** A workload that is one call of a tool, or a few that together do one thing: made, timed, and its outcome checked. */
import type { ToolCall } from '../versus/server';
import type { Calls } from './adapters';
import { maxRoundsOf } from './contestants';
import { type Contender, interleave, repeat } from './interleave';
import { cpuMs } from './process-stats';
import { type Result, Setback } from './results';
import type { Session } from './sessions';
import type { Bench } from './workload';

export interface ToolWorkload {
  readonly name: string;
  readonly by: readonly string[];
  readonly rounds: number;
  /** Tries in a block. */
  readonly tries: number;
  /** Tries before the clock runs, once for each contestant. */
  readonly warmUps: number;
  /** Nothing where the server has no tool for it. */
  calls(calls: Calls, at: number): readonly ToolCall[] | undefined;
  before?(at: number): unknown;
  /** Whether the answers, or what is now on the disk, are right. */
  holds(answers: readonly string[], at: number): boolean;
}

/** Nobody waits longer for a file. */
export const TRY_LIMIT_MS = 12_000;
/** A block ends then, however few its tries were. */
export const BLOCK_BUDGET_MS = { full: 1_500, quick: 300 };
/** The same in a quick run: code that is not warm yet would be another contestant. */
export const WARM_UP_BUDGET_MS = 1_500;
/** Of calls that take a millisecond or two, or less: what the machine does besides shows most in them. */
export const SMALL_WARM_UPS = 2_000;
/** A ratio of one round is up to a third off; the middle of so many, some hundredths. */
export const SMALL_ROUNDS = 31;

export async function runToolWorkload(bench: Bench, workload: ToolWorkload): Promise<Result> {
  const cells = await interleave(toolContenders(bench, workload), workload.rounds);
  return { workload: workload.name, cells };
}

/** Its contestants, for a workload in which others take part too. */
export function toolContenders(bench: Bench, workload: ToolWorkload): Contender[] {
  return bench.among(workload.by).map((name) => makeContender(bench, workload, name));
}

function makeContender(bench: Bench, workload: ToolWorkload, name: string): Contender {
  let session: Session | undefined;
  const budgetMs = bench.scale(BLOCK_BUDGET_MS);
  return {
    name,
    maxRounds: maxRoundsOf(name),
    cpuMs: () => cpuMs(session?.wire.pid ?? -1),
    dropOut: () => bench.sessions.drop(name),
    async warmUp() {
      session = await bench.sessions.open(name);
      await repeat({ count: workload.warmUps, budgetMs: WARM_UP_BUDGET_MS }, trier(session, workload));
    },
    async block() {
      session = await bench.sessions.open(name);
      return repeat({ count: workload.tries, budgetMs }, trier(session, workload));
    },
  };
}

function trier(session: Session, workload: ToolWorkload): (at: number) => Promise<number> {
  return async (at) => {
    const calls = workload.calls(session.calls, at);
    if (calls === undefined) throw new Setback('no tool');
    await workload.before?.(at);
    const deadline = performance.now() + TRY_LIMIT_MS;
    const answers: string[] = [];
    let total = 0;
    for (const call of calls) {
      if (performance.now() > deadline) throw new Setback(`over ${TRY_LIMIT_MS / 1000} s`);
      const { ms, text } = await session.call(call, { limitMs: TRY_LIMIT_MS });
      total += ms;
      answers.push(text);
    }
    if (!workload.holds(answers, at)) throw new Setback('wrong answer');
    return total;
  };
}
