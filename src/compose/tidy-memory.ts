/**
 * Lets go of large texts when nobody calls. The engine counts them outside its heap, and leaves 64 MB of what nobody
 * needs any more where it is. A collection takes about 10 ms, so it is made when the server has nothing else to do: it
 * then holds 30 to 90 MB less, and starts commands sooner, since a fork copies the tables of all that.
 */
import type { Observer } from '../contract/call';
import { collectGarbage, readyCollector } from '../services/collect-garbage';
import { ownTurn } from '../text/yield-to-loop';

const MB = 1_048_576;
/** After a pause, what is worth it; at once only a lot, since texts that follow each other reuse what is there. */
const SOON = { idleMs: 50, worthwhileBytes: 40 * MB };
const LATER = { idleMs: 200, worthwhileBytes: 8 * MB };
/** What one collection leaves, the next may take: what is still held after so many in vain is needed. */
const MAX_IN_VAIN = 2;
const NOTICEABLE_BYTES = 4 * MB;
/** Other threads give the memory back, a moment later. */
const TELLS_AFTER_MS = 20;

interface Collection {
  readonly at: number;
  /** What was held before. */
  readonly held: number;
  /** How much of the heap was used after it. */
  readonly used: number;
}

export function tidyWhenIdle(): Observer {
  let needed = process.memoryUsage.rss();
  let inVain = 0;
  /** The last one, until it is known what it brought. */
  let collection: Collection | undefined;
  let isBusy = false;
  let soon: NodeJS.Timeout | undefined;
  let later: NodeJS.Timeout | undefined;
  const judge = ({ at, held, used }: Collection) => {
    collection = undefined;
    if (performance.now() - at < TELLS_AFTER_MS) return;
    const { rss: left, heapUsed } = process.memoryUsage();
    // A call that is about to begin has come in a message, and that may be long.
    if (heapUsed - used > NOTICEABLE_BYTES) return;
    inVain = held - left < NOTICEABLE_BYTES ? inVain + 1 : 0;
    if (inVain < MAX_IN_VAIN) return;
    needed = left;
    inVain = 0;
  };
  const tidy = (worthwhileBytes: number) => {
    if (isBusy) return;
    if (collection) judge(collection);
    const held = process.memoryUsage.rss();
    needed = Math.min(needed, held);
    if (held - needed < worthwhileBytes) return;
    readyCollector();
    void ownTurn().then(() => {
      if (isBusy) return;
      const at = performance.now();
      collectGarbage('all');
      collection = { at, held, used: process.memoryUsage().heapUsed };
      later?.refresh();
    });
  };
  const again = (timer: NodeJS.Timeout | undefined, { idleMs, worthwhileBytes }: typeof SOON) =>
    timer?.refresh() ?? setTimeout(() => tidy(worthwhileBytes), idleMs).unref();
  return {
    began() {
      // Before this call needs more.
      if (collection) judge(collection);
      isBusy = true;
    },
    settled() {
      isBusy = false;
      soon = again(soon, SOON);
      later = again(later, LATER);
    },
  };
}
