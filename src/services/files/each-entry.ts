/** Goes through the entries of a directory in small steps, however many there are. */
import { type Dir, type Dirent, opendirSync } from 'node:fs';
import type { Steps } from '../../text/steps';
import type { Anchor } from './anchor';
import { lastSeen } from './last-seen';

/** Node takes entries from the front of what it has read: the longer that is, the slower. */
const NAMES_PER_READ = 128;
const NAMES_PER_STEP = 512;

type Use = (entry: Dirent) => void;

export function* eachEntry(directory: Pick<Anchor, 'at'>, use: Use): Steps<void> {
  const open = opendirSync(directory.at(), { bufferSize: NAMES_PER_READ });
  try {
    while (useSome(open, use)) yield;
  } finally {
    open.closeSync();
    lastSeen.directory = open;
  }
}

/** Whether there may be more. */
function useSome(open: Dir, use: Use): boolean {
  for (let left = NAMES_PER_STEP; left > 0; left--) {
    const entry = open.readSync();
    if (entry === null) return false;
    lastSeen.dirent = entry;
    use(entry);
  }
  return true;
}
