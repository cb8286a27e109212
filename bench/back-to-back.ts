/**
 * Calls without a pause: the next one leaves when an answer is there, and the answers are kept, to be checked when the
 * clock has stopped. A client that checks in between lets the server's processor fall asleep, and measures its waking.
 */
import { Setback } from './results';
import type { Reply, Wire } from './wire';

export interface Crowd {
  readonly inFlight: number;
  readonly count: number;
  /** No new call after that. */
  readonly budgetMs: number;
}

export interface Replies {
  readonly replies: readonly Reply[];
  readonly elapsedMs: number;
}

const ANSWER_LIMIT_MS = 12_000;

/** Keeps so many requests open until so many are answered or the time is up. */
export function askWithoutPause(wire: Wire, params: string, { inFlight, count, budgetMs }: Crowd): Promise<Replies> {
  const replies: Reply[] = [];
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Setback(`over ${ANSWER_LIMIT_MS / 1000} s`)), ANSWER_LIMIT_MS);
    let sent = 0;
    const sendNext = () => {
      sent++;
      wire.send('tools/call', params, (reply) => {
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
