/**
 * A place for the bytes of one larger file at a time. New memory comes from the system page by page: on a virtual
 * machine that takes 1 ms for 1 MB, ten times as long as to read it from the cache. This one is used again and again,
 * and it begins where a page does (see `newlines`).
 */
import { pagesOfMemory } from '../../text/assembly/instantiate';

export interface Desk {
  /** Room for so many bytes. */
  readonly bytes: Buffer;
  /** For when nobody looks at them any more. */
  clear(): void;
}

/** What is smaller needs no memory from the system; what is larger would keep too much of it. */
const MIN_BYTES = 131_072;
const MAX_BYTES = 4 * 1_048_576;

let place: Buffer | undefined;
let isTaken = false;

/** Undefined where another file lies there, or the size does not fit. */
export function takeDesk(bytes: number): Desk | undefined {
  if (isTaken || bytes < MIN_BYTES || bytes > MAX_BYTES) return undefined;
  place ??= pagesOfMemory(MAX_BYTES);
  if (!place) return undefined;
  isTaken = true;
  let isMine = true;
  return {
    bytes: place.subarray(0, bytes),
    clear() {
      if (isMine) isTaken = false;
      isMine = false;
    },
  };
}
