/**
 * Lets go of large texts when nobody calls. The engine counts them outside its heap, and leaves 64 MB of what nobody
 * needs any more where it is. A collection takes about 10 ms, so it is made when the server has nothing else to do: it
 * then holds 30 to 90 MB less, and starts commands sooner, since a fork copies the tables of all that.
 */
import type { Observer } from '../contract/call';
import { collectGarbage } from '../services/collect-garbage';

const MB = 1_048_576;
/** After a pause, what is worth it; at once only a lot, since texts that follow each other reuse what is there. */
const SOON = { idleMs: 50, worthwhileBytes: 40 * MB };
const LATER = { idleMs: 200, worthwhileBytes: 16 * MB };
/** What one collection leaves, the next may take: what is still held after so many is needed. */
const MAX_COLLECTIONS = 3;

export function tidyWhenIdle(): Observer {
  let needed = process.memoryUsage.rss();
  let collections = 0;
  let isBusy = false;
  let soon: NodeJS.Timeout | undefined;
  let later: NodeJS.Timeout | undefined;
  const tidy = (worthwhileBytes: number) => {
    if (isBusy) return;
    const held = process.memoryUsage.rss();
    if (collections === MAX_COLLECTIONS) needed = held;
    needed = Math.min(needed, held);
    if (held - needed < worthwhileBytes) return;
    collections++;
    collectGarbage('all');
    later?.refresh();
  };
  const again = (timer: NodeJS.Timeout | undefined, { idleMs, worthwhileBytes }: typeof SOON) =>
    timer?.refresh() ?? setTimeout(() => tidy(worthwhileBytes), idleMs).unref();
  return {
    began() {
      isBusy = true;
    },
    settled() {
      isBusy = false;
      collections = 0;
      soon = again(soon, SOON);
      later = again(later, LATER);
    },
  };
}
