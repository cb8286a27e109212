/**
 * Remembers the line indexes of the last few large files. An index holds for the very file, size and times it was asked
 * for; whoever asks looks at the file again afterwards, and so notices what changed while it was made.
 */
import type { BigIntStats } from 'node:fs';
import { isSame } from './disk';
import { type IndexOptions, indexLines, type LineIndex } from './line-index';

export interface LineIndexes {
  /** A file of one chunk needs no index. */
  readonly chunkBytes: number;
  /** The index of an open file that looked like `stat` just now. */
  of(fd: number, stat: BigIntStats): Promise<LineIndex>;
}

export interface LineIndexesOptions extends IndexOptions {
  readonly maxFiles: number;
  /** A larger index is used once and not remembered. */
  readonly maxIndexBytes: number;
}

export const USUAL_INDEXES: LineIndexesOptions = {
  chunkBytes: 262_144,
  chunksPerSlice: 8,
  maxFiles: 8,
  maxIndexBytes: 262_144,
};

const BYTES_PER_COUNT = 8;
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

  function of(fd: number, stat: BigIntStats): Promise<LineIndex> {
    const key = `${stat.dev}:${stat.ino}`;
    const known = remembered.get(key);
    const isKnown = known !== undefined && isSame(known.stat, stat);
    const index = isKnown ? known.index : indexLines(fd, Number(stat.size), options);
    remembered.delete(key);
    if (!isKnown && !isWorthKeeping(stat)) return index;
    remembered.set(key, { stat, index });
    for (const oldest of remembered.keys()) if (remembered.size > options.maxFiles) remembered.delete(oldest);
    index.catch(() => {
      if (remembered.get(key)?.index === index) remembered.delete(key);
    });
    return index;
  }

  function isWorthKeeping(stat: BigIntStats): boolean {
    const indexBytes = (Number(stat.size) / options.chunkBytes) * BYTES_PER_COUNT;
    return indexBytes <= options.maxIndexBytes && isSettled(stat);
  }

  return { chunkBytes: options.chunkBytes, of };
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
