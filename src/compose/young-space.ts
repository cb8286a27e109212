/**
 * Keeps the engine's space for young objects at 16 MB. It would grow to 32, and stay there; that is no quicker, and a
 * fork, by which commands start, copies the tables of all of it. The limit itself can only be set before the engine
 * starts, so its growth is stopped when it is large enough.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import type { Observer } from '../contract/call';

const ENOUGH_BYTES = 16 * 1_048_576;
/** A look takes 5 microseconds. */
const LOOK_EACH_MS = 10;
const STOPS_GROWING = '--semi-space-growth-factor=1';

export function limitYoungSpace(): Observer {
  let isLimited = false;
  let nextLook = 0;
  return {
    settled() {
      if (isLimited || performance.now() < nextLook) return;
      nextLook = performance.now() + LOOK_EACH_MS;
      isLimited = youngBytes() >= ENOUGH_BYTES;
      if (isLimited) setFlagsFromString(STOPS_GROWING);
    },
  };
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}
