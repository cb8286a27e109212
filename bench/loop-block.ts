/** What is said of the times for which a loop stood still: how long, and how much of that was the machine. */
import type { Standstill } from './watched-loop';

export interface Block {
  readonly ms: number;
  /** Less the time for which a process that does nothing could not be woken on the same processor, at that very moment. */
  readonly ownMs: number;
  /** Its thread was on a processor. */
  readonly computedMs?: number | undefined;
  /** Its thread was ready, and others were on the processors. */
  readonly queuedMs?: number | undefined;
}

const NONE: Block = { ms: 0, ownMs: 0 };

/** The one that is longest without the machine's part. `beside`: by processor. */
export function worstBlock(found: readonly Standstill[], beside: readonly (readonly Standstill[])[]): Block {
  return found
    .map((one) => blockOf(one, one.processor === undefined ? [] : (beside[one.processor] ?? [])))
    .reduce((worst, one) => (one.ownMs > worst.ownMs ? one : worst), NONE);
}

function blockOf(one: Standstill, beside: readonly Standstill[]): Block {
  const ms = one.to - one.from;
  const ofTheMachine = beside.reduce((sum, other) => sum + overlap(one, asleep(other)), 0);
  return { ms, ownMs: ms - ofTheMachine, computedMs: one.computedMs, queuedMs: one.queuedMs };
}

/**
 * Until it could be woken at all, which takes nothing but a processor that runs: then it may have had to wait for
 * others, among them those that we watch, and that is not the machine.
 */
function asleep({ from, to, computedMs = 0, queuedMs = 0 }: Standstill): Standstill {
  return { from, to: Math.max(from, to - computedMs - queuedMs) };
}

function overlap(one: Standstill, other: Standstill): number {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));
}
