import { isTurnLong, yieldToLoop } from '../text/yield-to-loop';

/** Slices of a long answer, made as fast as the client reads; others have their turn in between. */
export async function* paced(slices: Iterable<string>): AsyncGenerator<string> {
  for (const slice of slices) {
    if (isTurnLong()) await yieldToLoop();
    yield slice;
  }
}
