/**
 * Calls without a pause: the next one leaves when an answer is there, and the answers are kept, to be checked when the
 * clock has stopped. A client that checks in between lets the server's processor fall asleep, and measures its waking.
 */
import type { ToolCall } from '../versus/server';
import type { Calls } from './adapters';
import { maxRoundsOf } from './contestants';
import type { Contender } from './interleave';
import { cpuMs } from './process-stats';
import { Setback } from './results';
import { paramsOf, type Session } from './sessions';
import { BLOCK_BUDGET_MS, SMALL_WARM_UPS, WARM_UP_BUDGET_MS } from './tool-workload';
import type { Reply, Wire } from './wire';
import type { Bench } from './workload';

export interface UnpausedWorkload {
  readonly by: readonly string[];
  readonly inFlight: number;
  /** Calls in a block. */
  readonly count: number;
  /** Made anew for each block; they are sent in turn. */
  calls(calls: Calls): readonly ToolCall[];
  /** Whether the answers of a block, or what is now on the disk, are right. */
  holds(answers: readonly string[]): boolean;
  timesOf(replies: Replies): number[];
}

export interface Replies {
  readonly replies: readonly Reply[];
  readonly elapsedMs: number;
}

interface Crowd {
  readonly inFlight: number;
  readonly count: number;
  /** No new call after that. */
  readonly budgetMs: number;
}

const ANSWER_LIMIT_MS = 12_000;

export function timeOfEach({ replies }: Replies): number[] {
  return replies.map(({ ms }) => ms);
}

/** The servers of a workload. */
export function unpausedContenders(bench: Bench, workload: UnpausedWorkload): Contender[] {
  return bench.among(workload.by).map((name) => {
    let session: Session;
    return {
      name,
      maxRounds: maxRoundsOf(name),
      cpuMs: () => cpuMs(session.wire.pid),
      dropOut: () => bench.sessions.drop(name),
      ...blocksOf(bench, workload, async (crowd) => {
        session = await bench.sessions.open(name);
        const { wire, calls, textOf } = session;
        const answered = await askWithoutPause(wire, workload.calls(calls).map(paramsOf), crowd);
        if (!workload.holds(answered.replies.map(({ line }) => textOf(line)))) throw new Setback('wrong answer');
        return answered;
      }),
    };
  });
}

/** A program beside them that understands the same requests. */
export function unpausedBeside(
  bench: Bench,
  workload: Pick<UnpausedWorkload, 'inFlight' | 'count' | 'timesOf'>,
  { name, wire, params }: { name: string; wire: Wire; params: string },
): Contender {
  return { name, ...blocksOf(bench, workload, (crowd) => askWithoutPause(wire, [params], crowd)) };
}

function blocksOf(
  bench: Bench,
  { inFlight, count, timesOf }: Pick<UnpausedWorkload, 'inFlight' | 'count' | 'timesOf'>,
  ask: (crowd: Crowd) => Promise<Replies>,
) {
  const budgetMs = bench.scale(BLOCK_BUDGET_MS);
  return {
    warmUp: () => ask({ inFlight, count: SMALL_WARM_UPS, budgetMs: WARM_UP_BUDGET_MS }),
    block: async () => timesOf(await ask({ inFlight, count, budgetMs })),
  };
}

/** Keeps so many requests open until so many are answered or the time is up. */
function askWithoutPause(
  wire: Wire,
  params: readonly string[],
  { inFlight, count, budgetMs }: Crowd,
): Promise<Replies> {
  const replies: Reply[] = [];
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Setback(`over ${ANSWER_LIMIT_MS / 1000} s`)), ANSWER_LIMIT_MS);
    let sent = 0;
    const sendNext = () => {
      wire.send('tools/call', params[sent++ % params.length] ?? '{}', (reply) => {
        replies.push(reply);
        const elapsedMs = performance.now() - started;
        if (sent < count && elapsedMs < budgetMs) return sendNext();
        if (replies.length < sent) return;
        clearTimeout(limit);
        resolve({ replies, elapsedMs });
      });
    };
    while (sent < Math.min(inFlight, count)) sendNext();
  });
}
