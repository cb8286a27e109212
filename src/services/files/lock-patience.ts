/** A wait for a lock came to its end. The holder may be slow or stopped; it is alive, so nobody takes its lock away. */
export class LockTimeout extends Error {
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`The file stayed locked for ${timeoutMs} ms`);
    this.name = 'LockTimeout';
    this.timeoutMs = timeoutMs;
  }
}

/** How long one caller is willing to wait, over all the waits that its lock takes. */
export interface Patience {
  /** Throws when the time is over or the caller gave up. */
  check(): void;
  /** Waits for `done`. When patience ends first, calls the function that `begin` returned and rejects. */
  wait<T>(begin: (done: (value: T) => void) => () => void): Promise<T>;
  pause(ms: number): Promise<void>;
}

// A longer delay would overflow the timer and fire at once.
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createPatience(options: { timeoutMs: number; signal?: AbortSignal | undefined }): Patience {
  const { timeoutMs, signal } = options;
  const endsAt = performance.now() + timeoutMs;

  function check(): void {
    signal?.throwIfAborted();
    if (performance.now() >= endsAt) throw new LockTimeout(timeoutMs);
  }

  async function wait<T>(begin: (done: (value: T) => void) => () => void): Promise<T> {
    check();
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(
        () => giveUp(new LockTimeout(timeoutMs)),
        Math.min(endsAt - performance.now(), MAX_TIMER_MS),
      );
      const onAbort = () => giveUp(signal?.reason);
      signal?.addEventListener('abort', onAbort);
      const cancel = begin((value) => {
        settle();
        resolve(value);
      });

      function giveUp(reason: unknown): void {
        settle();
        cancel();
        reject(reason);
      }
      function settle(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      }
    });
  }

  async function pause(ms: number): Promise<void> {
    await wait<void>((done) => {
      const timer = setTimeout(done, ms);
      return () => clearTimeout(timer);
    });
  }

  return { check, wait, pause };
}
