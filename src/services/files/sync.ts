/** Brings a directory's own entries to disk. */
import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import type { Anchor } from './anchor';
import { errnoOf } from './errno';

/** Errors that mean "this system or directory cannot be synced", not "the data is lost". */
const CANNOT_SYNC = new Set(['EACCES', 'EPERM', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EBADF']);

export function syncDirectory(directory: Anchor): void {
  if (process.platform === 'win32') return;
  try {
    const fd = openSync(directory.at(), constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (thrown) {
    if (!CANNOT_SYNC.has(errnoOf(thrown) ?? '')) throw thrown;
  }
}
