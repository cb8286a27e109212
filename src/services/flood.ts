/**
 * The pieces of a flood, the output of a command or long messages, are garbage as soon as they are counted, but they lie
 * outside the heap, where the collector looks late: 3 GB of output made a process grow by 63 MB. A small collection
 * every few megabytes kept it at 15 MB, in the same time. Memory counts twice here: starting a program costs the more
 * the larger the server is.
 */
import { collectGarbage } from './collect-garbage';

const COLLECT_EVERY_BYTES = 4 * 1_048_576;

/** Returns a function that is told of every piece. */
export function createFloodWatch(): (bytes: number) => void {
  let since = 0;
  return (bytes) => {
    since += bytes;
    if (since < COLLECT_EVERY_BYTES) return;
    since = 0;
    collectGarbage('young');
  };
}
