/** Brings a directory's own entries to disk, after they were changed. */
import { constants, fsyncSync, openSync } from 'node:fs';
import { type Anchor, closeUnwritten } from './anchor';
import { errnoOf, NotSynced } from './errno';

/** Errors that mean "this system or directory cannot be synced", not "the data is lost". */
const CANNOT_SYNC = new Set(['EACCES', 'EPERM', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EBADF']);

export function syncDirectory(directory: Anchor): void {
  if (!directory.isSynced || process.platform === 'win32') return;
  try {
    const fd = openSync(directory.at(), constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(fd);
    } finally {
      closeUnwritten(fd);
    }
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === undefined) throw thrown;
    if (!CANNOT_SYNC.has(code)) throw new NotSynced(code, { cause: thrown });
  }
}
