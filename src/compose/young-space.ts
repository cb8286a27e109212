/**
 * Keeps the engine's space for young objects at 16 MB. It would grow to 32, and stay there; that is no quicker, and a
 * fork, by which commands start, copies the tables of all of it. The limit itself can only be set before the engine
 * starts, so its growth is stopped when it is large enough. In a pause the engine makes the space small again; then it
 * may grow back, in one step: with what is left, a large listing takes half as long again.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import type { Observer } from '../contract/call';

const ENOUGH_BYTES = 16 * 1_048_576;
/** A look takes 5 microseconds, to say it 2. */
const LOOK_EACH_MS = 10;

export function limitYoungSpace(): Observer {
  /** Before that, it grows as the engine has it. */
  let wasEnough = false;
  let nextLook = 0;
  return {
    settled() {
      if (performance.now() < nextLook) return;
      nextLook = performance.now() + LOOK_EACH_MS;
      const bytes = youngBytes();
      wasEnough ||= bytes >= ENOUGH_BYTES;
      // Said at each look: the engine gives every new thread a heap, and says 2 for all of them then.
      if (wasEnough) setFlagsFromString(`--semi-space-growth-factor=${Math.max(1, Math.floor(ENOUGH_BYTES / bytes))}`);
    },
  };
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? ENOUGH_BYTES;
}
