import { createPendingWrites } from '../services/files/pending-writes';
import { bothSpellings, isInsideAny } from '../services/processes/search-path';

/** When the first messages have been answered, and before the house mends what it finds. */
const SOON_MS = 500;

/** Wakes whoever mends, a little after the start, where a write below one of the roots was never finished. */
export function watchForRemains(roots: readonly string[], wake: () => void): void {
  setTimeout(() => {
    const walls = bothSpellings(roots);
    const unfinished = createPendingWrites().unfinished();
    if (unfinished.some(({ target }) => isInsideAny(target, walls))) wake();
  }, SOON_MS).unref();
}
