/** Brings a directory's own entries to disk, after they were changed. */
import { constants, fsync, fsyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Anchor, closeUnwritten } from './anchor';
import { errnoOf, NotSynced } from './errno';

/** Errors that mean "this system or directory cannot be synced", not "the data is lost". */
const CANNOT_SYNC = new Set(['EACCES', 'EPERM', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EBADF']);
const DIRECTORY_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY;

const fsyncAsync = promisify(fsync);

export function syncDirectory(directory: Anchor): void {
  if (!isSyncable(directory)) return;
  try {
    const fd = openSync(directory.at(), DIRECTORY_FLAGS);
    try {
      fsyncSync(fd);
    } finally {
      closeUnwritten(fd);
    }
  } catch (thrown) {
    judge(thrown);
  }
}

/** The same without holding up the loop: a disk may take its time. */
export async function syncDirectoryAside(directory: Anchor): Promise<void> {
  if (!isSyncable(directory)) return;
  try {
    const fd = openSync(directory.at(), DIRECTORY_FLAGS);
    try {
      await fsyncAsync(fd);
    } finally {
      closeUnwritten(fd);
    }
  } catch (thrown) {
    judge(thrown);
  }
}

function isSyncable({ isSynced }: Anchor): boolean {
  return isSynced && process.platform !== 'win32';
}

function judge(thrown: unknown): void {
  const code = errnoOf(thrown);
  if (code === undefined) throw thrown;
  if (!CANNOT_SYNC.has(code)) throw new NotSynced(code, { cause: thrown });
}
