/** Goes through the entries of a directory in small steps, however many there are. */
import { type Dir, type Dirent, opendirSync } from 'node:fs';
import { elsewhere, type Steps } from '../../text/steps';
import type { Anchor } from './anchor';
import { lastSeen } from './last-seen';

/** Node takes entries from the front of what it has read: the longer that is, the slower. */
const NAMES_PER_READ = 128;
const NAMES_PER_STEP = 512;
/**
 * Each trip to another thread takes as long as to read hundreds of names. A longer list, of more than 128 KB, the engine
 * moves as a whole for each entry that Node takes from its front.
 */
const NAMES_ASIDE = 14_000;

type Use = (entry: Dirent) => void;

export function* eachEntry(directory: Anchor, use: Use): Steps<void> {
  const open = opendirSync(directory.at(), { bufferSize: NAMES_PER_READ });
  try {
    while (useSome(open, use, NAMES_PER_STEP)) yield;
  } finally {
    close(open);
  }
}

/** The same where another thread does the reading, and this one has other things to do meanwhile. */
export function* eachEntryAside(directory: Anchor, use: Use): Steps<void> {
  const open = opendirSync(directory.at(), { bufferSize: NAMES_ASIDE });
  try {
    for (let isEnd = false; !isEnd; ) {
      const first = yield* elsewhere(() => open.read());
      if (first) use(first);
      isEnd = first === null || !useSome(open, use, NAMES_ASIDE - 1);
    }
  } finally {
    close(open);
  }
}

/** Whether there may be more. */
function useSome(open: Dir, use: Use, count: number): boolean {
  for (let left = count; left > 0; left--) {
    const entry = open.readSync();
    if (entry === null) return false;
    lastSeen.dirent = entry;
    use(entry);
  }
  return true;
}

function close(open: Dir): void {
  open.closeSync();
  lastSeen.directory = open;
}
