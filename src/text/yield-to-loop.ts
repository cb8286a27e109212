/** Long work lets the others of the process have their turn: other calls, a cancellation, the lock's waiting room. */
export function yieldToLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Before something that takes long in one go. Whoever yields while the loop hands out what has come goes on in the same
 * round, before anybody else: only the next round is a fresh one.
 */
export async function nextRound(): Promise<void> {
  await yieldToLoop();
  await yieldToLoop();
}

/** Whether to go through the text or the bytes takes a while, so that others should have their turn before or after. */
export function isLarge({ length }: { readonly length: number }): boolean {
  return length > LARGE_LENGTH;
}

const LARGE_LENGTH = 1_048_576;
const MAX_HOLD_MS = 8;

/** Says when work has held the loop long enough. */
export class Pace {
  #since = performance.now();

  /** Ask between small steps; then `await rest()`. */
  isTired(): boolean {
    return performance.now() - this.#since > MAX_HOLD_MS;
  }

  async rest(): Promise<void> {
    await yieldToLoop();
    this.#since = performance.now();
  }
}
