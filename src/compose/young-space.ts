/**
 * Keeps the engine's space for young objects at 16 MB. It would grow to 32, and stay there; that is no quicker, and a
 * fork, by which commands start, copies the tables of all of it. The limit itself can only be set before the engine
 * starts, so its growth is stopped when it is large enough. In a pause the engine makes the space small again; then it
 * may grow back, in one step: with what is left, a large listing takes half as long again.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import type { Observer } from '../contract/call';

const ENOUGH_BYTES = 16 * 1_048_576;
/** A look takes 5 microseconds. */
const LOOK_EACH_MS = 10;

export function limitYoungSpace(): Observer {
  /** Once it was large enough: before that, it grows as the engine has it. */
  let growth: number | undefined;
  let nextLook = 0;
  return {
    settled() {
      if (performance.now() < nextLook) return;
      nextLook = performance.now() + LOOK_EACH_MS;
      const bytes = youngBytes();
      if (growth === undefined && bytes < ENOUGH_BYTES) return;
      const next = Math.max(1, Math.floor(ENOUGH_BYTES / bytes));
      if (next !== growth) setFlagsFromString(`--semi-space-growth-factor=${next}`);
      growth = next;
    },
  };
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? ENOUGH_BYTES;
}
