import { Pace } from '../text/yield-to-loop';

/** Slices of a long answer, made as fast as the client reads; others have their turn in between. */
export async function* paced(slices: Iterable<string>): AsyncGenerator<string> {
  const pace = new Pace();
  for (const slice of slices) {
    if (pace.isTired()) await pace.rest();
    yield slice;
  }
}
