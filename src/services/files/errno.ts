/** The only place where a system error becomes a fault. */
import { Fault } from '../../contract/fault';

export function errnoOf(thrown: unknown): string | undefined {
  const code = (thrown as NodeJS.ErrnoException | null)?.code;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** A change is made, and the system did not confirm that it is on disk. */
export class NotSynced extends Error {}

/** Runs `work`; a system error thrown by it comes out as a fault about `path`. Anything else passes. */
export async function withFaults<T>(path: string, bytes: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw faultOf(thrown, path, bytes);
  }
}

export function withFaultsSync<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw faultOf(thrown, path, 0);
  }
}

/** The fault that a system error about `path` is; anything else stays what it is. */
export function faultOf(thrown: unknown, path: string, bytes: number): unknown {
  if (thrown instanceof NotSynced)
    return new Fault('system_error', {
      path,
      problem: 'the change is in place, but the system could not confirm that it is on disk',
    });
  switch (errnoOf(thrown)) {
    case undefined:
      return thrown;
    case 'EACCES':
    case 'EPERM':
      return new Fault('permission_denied', { path });
    case 'EROFS':
      return new Fault('read_only_filesystem', { path });
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new Fault('disk_full', { path, bytes });
    case 'ENOENT':
      return new Fault('file_not_found', { path });
    case 'EISDIR':
      return new Fault('is_directory', { path });
    case 'ENAMETOOLONG':
      return new Fault('invalid_path', { path, problem: 'a name in it is too long for the file system' });
    case 'EXDEV':
      return new Fault('system_error', { path, problem: 'it lies on another file system; copy and delete instead' });
    case 'EMFILE':
    case 'ENFILE':
      return new Fault('system_error', { path, problem: 'too many files are open; try again' });
    default:
      return new Fault('system_error', { path, problem: errnoOf(thrown) ?? 'unknown error' });
  }
}
