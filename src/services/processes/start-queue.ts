/**
 * Keeps commands from crowding out everybody else, the server among them: to start one takes a few milliseconds, and
 * many times that where dozens of programs want the processors. The first few start at once. The others wait, first come
 * first served, until one has ended, or until a processor has nothing to do: commands that only wait hold up nobody. And
 * since it may be others who keep the processors busy, one more starts every few seconds in any case.
 */
import { availableParallelism } from 'node:os';
import { ownTurn } from '../../text/yield-to-loop';
import { watchProcessors } from './idle-processors';

export interface StartQueue {
  /**
   * Resolves in a fresh turn of the loop, when the caller may start; or when the signal says that nobody waits for it any
   * more. What it resolves to is to be called when the command has ended, however that was.
   */
  enter(signal: AbortSignal): Promise<() => void>;
}

export interface StartQueueOptions {
  /** So many run beside each other without a look at the processors. */
  readonly most?: number;
  readonly watch?: typeof watchProcessors;
}

/** With two, the server had to wait for a processor for up to 66 ms; with one, many commands took a tenth longer. */
const MOST_PER_PROCESSOR = 1.5;
const AT_LEAST = 2;
const LOOK_EVERY_MS = 100;
const PATIENCE_MS = 5_000;

export function createStartQueue(options: StartQueueOptions = {}): StartQueue {
  const { most = mostFor(availableParallelism()), watch = watchProcessors } = options;
  const waiting = new Set<() => void>();
  let running = 0;
  let lastStartMs = 0;
  let looks: NodeJS.Timeout | undefined;

  function start(): () => void {
    running++;
    lastStartMs = performance.now();
    return () => {
      running--;
      if (running < most) letGo(1);
    };
  }

  function wait(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve) => {
      const go = () => {
        waiting.delete(go);
        signal.removeEventListener('abort', giveUp);
        resolve(start());
      };
      const giveUp = () => {
        waiting.delete(go);
        resolve(() => {});
      };
      waiting.add(go);
      signal.addEventListener('abort', giveUp, { once: true });
      looks ??= startLooks();
    });
  }

  function startLooks(): NodeJS.Timeout {
    const idle = watch();
    return setInterval(() => {
      const isLate = performance.now() - lastStartMs > PATIENCE_MS;
      letGo(Math.max(isLate ? 1 : 0, Math.floor(idle())));
    }, LOOK_EVERY_MS);
  }

  function letGo(count: number): void {
    let left = count;
    for (const go of waiting) {
      if (left-- <= 0) return;
      go();
    }
    clearInterval(looks);
    looks = undefined;
  }

  return {
    async enter(signal) {
      const leave = running < most || signal.aborted ? start() : await wait(signal);
      await ownTurn();
      return leave;
    },
  };
}

function mostFor(processors: number): number {
  return Math.max(AT_LEAST, Math.floor(MOST_PER_PROCESSOR * processors));
}
