import { Fault } from '../../contract/fault';
import { type FileLocks, LockTimeout, lockKey } from './file-lock';
import { LockDirectoryUnusable } from './lock-directory';
import type { Pin } from './pin';

/** Runs `work` while nobody else, in this process or another, changes what is at the pins. */
export async function lockPins<T>(locks: FileLocks, pins: readonly Pin[], work: () => Promise<T>): Promise<T> {
  const keys = pins.map((pin) => lockKey(pin.directory.identity(), pin.name));
  try {
    return await locks.run(keys, work);
  } catch (thrown) {
    const path = pins[0]?.shown ?? '';
    if (thrown instanceof LockTimeout)
      throw new Fault('busy', { path, problem: 'another process is changing it; try again' });
    if (thrown instanceof LockDirectoryUnusable) throw new Fault('busy', { path, problem: thrown.message });
    throw thrown;
  }
}
