/**
 * Remembers the line indexes of the last few large files. An index holds for the very file, size and times it was asked
 * for; whoever asks looks at the file again afterwards, and so notices what changed while it was made.
 */
import type { BigIntStats } from 'node:fs';
import { createNewlineCounter, type NewlineCounter } from '../../text/newlines';
import { isSame } from './disk';
import { type IndexOptions, indexLines, type LineIndex } from './line-index';

export interface LineIndexes {
  /** A file of one chunk needs no index. */
  readonly chunkBytes: number;
  /** Made when it is first needed. */
  counter(): NewlineCounter;
  /** The index of an open file that looked like `stat` just now. */
  of(fd: number, stat: BigIntStats): Promise<LineIndex>;
}

export interface LineIndexesOptions extends IndexOptions {
  readonly maxFiles: number;
}

export const USUAL_INDEXES: LineIndexesOptions = {
  chunkBytes: 32_768,
  chunksPerSlice: 32,
  maxFiles: 8,
  maxIndexBytes: 262_144,
};

const SECOND_NS = 1_000_000_000n;
const TICK_NS = 100_000_000n;
const COARSE_TICK_NS = 2n * SECOND_NS;

interface Remembered {
  readonly stat: BigIntStats;
  readonly index: Promise<LineIndex>;
}

export function createLineIndexes(options: LineIndexesOptions = USUAL_INDEXES): LineIndexes {
  // Oldest use first.
  const remembered = new Map<string, Remembered>();
  let counterMade: NewlineCounter | undefined;

  function counter(): NewlineCounter {
    counterMade ??= createNewlineCounter();
    return counterMade;
  }

  function of(fd: number, stat: BigIntStats): Promise<LineIndex> {
    const key = `${stat.dev}:${stat.ino}`;
    const known = remembered.get(key);
    remembered.delete(key);
    if (known === undefined || !isSame(known.stat, stat)) return make(key, fd, stat);
    remembered.set(key, known);
    return known.index;
  }

  function make(key: string, fd: number, stat: BigIntStats): Promise<LineIndex> {
    // Asked before anything is read: a change after that must show.
    const isToBeKept = isSettled(stat);
    const index = indexLines(fd, Number(stat.size), counter(), options);
    if (!isToBeKept) return index;
    remembered.set(key, { stat, index });
    for (const oldest of remembered.keys()) if (remembered.size > options.maxFiles) remembered.delete(oldest);
    index.catch(() => {
      if (remembered.get(key)?.index === index) remembered.delete(key);
    });
    return index;
  }

  return { chunkBytes: options.chunkBytes, counter, of };
}

/**
 * Two changes within one tick of the file system's clock have the same time: what changed just now may change again
 * without showing. File systems whose times have no fractions tick in seconds.
 */
export function isSettled({ ctimeNs }: BigIntStats): boolean {
  const isCoarse = ctimeNs % SECOND_NS === 0n;
  const now = BigInt(Date.now()) * 1_000_000n;
  return now - ctimeNs > (isCoarse ? COARSE_TICK_NS : TICK_NS);
}
