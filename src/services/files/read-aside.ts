/**
 * Reads the names in a directory by another thread, which hands over only what is new: to make texts of 10,000 names and
 * to choose the first of them takes a thread as long as to look at a thousand files. It is started when it is wanted twice
 * within a while, and ends when nobody has wanted it for as long.
 */
import { Worker } from 'node:worker_threads';
import type { FirstEntries } from './first-entries';
import type { ReadingAnswer, ReadingOrder } from './reading-thread';

/**
 * The first entries of a directory that stays open meanwhile; `likely` are the names that were first when it was last
 * read, in order. Undefined: there is no such thread yet, or it has ended; why, is seen where the names are read in place.
 */
export type ReadAside = (wanted: Wanted) => Promise<FirstEntries | undefined>;

type Wanted = ReadingOrder & { readonly likely: readonly string[] };

/** It holds some megabytes, and a fork, by which commands start, copies the tables of all that is held. */
const IDLE_MS = 3_000;
const YOUNG_MB = 8;

interface ReadingThread {
  readonly isUp: boolean;
  ask: ReadAside;
}

/** `threadFile`: what `reading-thread` was built as. */
export function createReadAside(threadFile: string, { idleMs = IDLE_MS } = {}): ReadAside {
  let thread: ReadingThread | undefined;
  let lastWanted = Number.NEGATIVE_INFINITY;
  return async (wanted) => {
    const isOften = performance.now() - lastWanted < idleMs;
    lastWanted = performance.now();
    if (!thread && !isOften) return undefined;
    thread ??= tryToStart(threadFile, {
      idleMs,
      onEnd: () => {
        thread = undefined;
      },
    });
    return thread?.isUp ? thread.ask(wanted) : undefined;
  };
}

function tryToStart(...args: Parameters<typeof startThread>): ReadingThread | undefined {
  try {
    return startThread(...args);
  } catch {
    // Whatever the reason (a system may have no thread to spare), there is the longer way.
    return undefined;
  }
}

function startThread(file: string, { idleMs, onEnd }: { idleMs: number; onEnd(): void }): ReadingThread {
  // Without the flags and variables of this process: what was meant for it has no business there.
  const worker = new Worker(file, { execArgv: [], env: {}, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
  const idle = setTimeout(() => void worker.terminate(), idleMs).unref();
  const waiting: { likely: readonly string[]; answer(entries: FirstEntries | undefined): void }[] = [];
  /** What was first in the last answer: both sides have it. */
  let former: readonly string[] | undefined;
  let isUp = false;
  worker.unref();
  worker.once('online', () => {
    isUp = true;
  });
  worker.on('message', ({ names, ...rest }: ReadingAnswer) => {
    const asked = waiting.shift();
    if (waiting.length === 0) worker.unref();
    former = names ?? asked?.likely ?? [];
    asked?.answer({ names: former, ...rest });
  });
  worker.once('error', () => {}); // Its end is told too.
  worker.once('exit', () => {
    onEnd();
    clearTimeout(idle);
    for (const { answer } of waiting) answer(undefined);
  });
  return {
    get isUp() {
      return isUp;
    },
    ask({ likely, ...rest }) {
      idle.refresh();
      worker.ref();
      const isKnown = waiting.length === 0 && likely === former;
      worker.postMessage({ ...rest, likely: isKnown ? undefined : likely } satisfies ReadingOrder);
      return new Promise((answer) => waiting.push({ likely, answer }));
    },
  };
}
