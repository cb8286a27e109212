/** What is said of the times for which a loop stood still: how long, and how much of that was the machine. */
import type { Standstill } from './watched-loop';

export interface Block {
  readonly ms: number;
  /** Less the time for which one of the processors stood still at that very moment, but never less than was computed. */
  readonly ownMs: number;
  /** Its thread was on a processor. */
  readonly computedMs?: number | undefined;
  /** Its thread was ready, and others were on the processors, or those stood still. */
  readonly queuedMs?: number | undefined;
}

type Span = Pick<Standstill, 'from' | 'to'>;

const NONE: Block = { ms: 0, ownMs: 0 };

/** The one that is longest without the machine's part. `beside`: of processes that do nothing, on all processors. */
export function worstBlock(found: readonly Standstill[], beside: readonly Standstill[]): Block {
  const ofTheMachine = joined(beside.map(asleep));
  return found
    .map((one) => blockOf(one, ofTheMachine))
    .reduce((worst, one) => (one.ownMs > worst.ownMs ? one : worst), NONE);
}

function blockOf({ from, to, computedMs, queuedMs }: Standstill, ofTheMachine: readonly Span[]): Block {
  const ms = to - from;
  const ownMs = ofTheMachine.reduce((left, span) => left - overlap({ from, to }, span), ms);
  return { ms, ownMs: Math.max(ownMs, Math.min(ms, computedMs ?? 0)), computedMs, queuedMs };
}

/**
 * Until it could be woken at all, which takes nothing but a processor that runs: then it may have had to wait for
 * others, among them those that we watch, and that is not the machine.
 */
function asleep({ from, to, computedMs = 0, queuedMs = 0 }: Standstill): Span {
  return { from, to: Math.max(from, to - computedMs - queuedMs) };
}

/** Spans that overlap are one. */
function joined(spans: readonly Span[]): Span[] {
  const apart: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = apart.at(-1);
    if (last && span.from <= last.to) apart[apart.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else apart.push(span);
  }
  return apart;
}

function overlap(one: Span, other: Span): number {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));
}
