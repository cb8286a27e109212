/**
 * Keeps the engine's space for young objects at 16 MB. It would grow to 32, and stay there; that is no quicker, and a
 * fork, by which commands start, copies the tables of all of it. The limit itself can only be set before the engine
 * starts, so its growth is stopped when it is large enough.
 *
 * In a pause the engine makes the space small again, so after a pause it may grow, then in one step: with what is left,
 * a large listing took twice as long.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import type { Observer } from '../contract/call';

const ENOUGH_BYTES = 16 * 1_048_576;
/** A look takes 5 microseconds. */
const LOOK_EACH_MS = 10;
const PAUSE_MS = 500;
const STOPS_GROWING = '--semi-space-growth-factor=1';
/** The engine leaves 2 MB. */
const GROWS_BACK = '--semi-space-growth-factor=8';

export function limitYoungSpace(): Observer {
  let isLimited = false;
  let nextLook = 0;
  let pause: NodeJS.Timeout | undefined;
  const growBack = () => {
    isLimited = false;
    setFlagsFromString(GROWS_BACK);
  };
  return {
    settled() {
      pause?.refresh();
      if (isLimited || performance.now() < nextLook) return;
      nextLook = performance.now() + LOOK_EACH_MS;
      isLimited = youngBytes() >= ENOUGH_BYTES;
      if (!isLimited) return;
      setFlagsFromString(STOPS_GROWING);
      pause ??= setTimeout(growBack, PAUSE_MS).unref();
    },
  };
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}
