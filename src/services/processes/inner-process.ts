/**
 * Follows the command inside a sandbox through the reports of the sandbox, and ends it. The first process inside is
 * the one to kill: when it is dead, the kernel has ended and reaped everything inside. The sandbox's own process, outside,
 * ends before that.
 */
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { runGently } from '../../text/steps';
import { isTurnLong } from '../../text/yield-to-loop';
import { nap } from '../nap';
import { type CommandIdentity, findDescendants, isAlive, type ProcessRow, readRow } from './descendants';
import { signal, signalAll } from './signals';

const TERM_GRACE_MS = 300;
const KILL_LIMIT_MS = 400;
/** Mostly it is gone in a moment, and no timer is as short: the answer comes up to a millisecond sooner. */
const NAPS = 5;
const NAP_MS = 0.1;
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 20;
/** Two short lines are expected; more than this is not worth keeping. */
const MAX_REPORT_CHARACTERS = 10_000;

export interface InnerProcess {
  /** Whether the command itself has begun and ended, so that the exit code is its own. */
  hasEnded(): boolean;
  /**
   * Resolves when nothing inside is alive any more, or cannot be ended: whether it is known to be gone. With `ask`,
   * SIGTERM and a grace go first.
   */
  end(options: { ask: boolean }): Promise<{ gone: boolean }>;
}

export function followInner(reports: Readable, outer: CommandIdentity): InnerProcess {
  let text = '';
  let first: ProcessRow | undefined;
  reports.setEncoding('latin1');
  reports.on('data', (chunk: string) => {
    if (text.length < MAX_REPORT_CHARACTERS) text += chunk;
    first ??= firstInside(text, outer);
  });
  reports.on('error', () => {});
  return {
    hasEnded: () => /"exit-code": *\d/.test(text),
    async end({ ask }) {
      if (first === undefined) return { gone: false };
      if (ask && isAlive(first)) {
        const found = await runGently(findDescendants(outer));
        await runGently(signalAll(found?.strays ?? [], 'SIGTERM'));
        await isGone(first, TERM_GRACE_MS);
      }
      if (isAlive(first)) signal(first.pid, 'SIGKILL');
      return { gone: await isGone(first, KILL_LIMIT_MS) };
    },
  };
}

/** The sandbox names it before it goes on; a number that is not its child has been given to somebody else since. */
function firstInside(text: string, outer: CommandIdentity): ProcessRow | undefined {
  const pid = /"child-pid": *(\d+)\D/.exec(text)?.[1];
  const row = pid === undefined ? undefined : readRow(Number(pid));
  return row?.parent === outer.pid ? row : undefined;
}

async function isGone(row: ProcessRow, limitMs: number): Promise<boolean> {
  for (let left = NAPS; left > 0 && !isTurnLong(); left--) {
    if (!isAlive(row)) return true;
    // Asleep, not busy: it may have to end on this very processor.
    nap(NAP_MS);
  }
  const until = performance.now() + limitMs;
  for (let pauseMs = FIRST_PAUSE_MS; isAlive(row); pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    if (performance.now() > until) return false;
    await sleep(pauseMs);
  }
  return true;
}
