import { isTurnLong, yieldToLoop } from './yield-to-loop';

/**
 * Work that can pause: a generator that yields after each small step, and in the end returns its result. Whoever runs
 * it decides whether others get their turn in between; the work itself is the same, and as pure as it was.
 */
export type Steps<T> = Generator<Aside | undefined, T, void>;

/** Something long that is done elsewhere, where there is time for it. Whoever yields it does it where that was not so. */
export type Aside = () => Promise<void>;

export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Hands the loop over whenever it has been held for a while: before the first step, and after the last, too. */
export async function runGently<T>(steps: Steps<T>): Promise<T> {
  if (isTurnLong()) await yieldToLoop();
  for (;;) {
    const step = steps.next();
    if (isTurnLong()) await yieldToLoop();
    if (step.done) return step.value;
    if (step.value) await step.value();
  }
}

/** Something long that is done elsewhere, and what comes of it: for work that is only ever run gently. */
export function* elsewhere<T>(work: () => Promise<T>): Steps<T> {
  let settled = (): T => {
    throw new Error('What is done elsewhere was not waited for');
  };
  yield async () => {
    settled = await work().then(
      (value) => () => value,
      (thrown) => () => {
        throw thrown;
      },
    );
  };
  return settled();
}
