import { Pace } from './yield-to-loop';

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

/** Hands the loop over whenever the steps have held it for a while: after the last too, whatever comes then. */
export async function runGently<T>(steps: Steps<T>, pace: Pace = new Pace()): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (pace.isTired()) await pace.rest();
    if (step.done) return step.value;
    if (step.value) await step.value();
  }
}
