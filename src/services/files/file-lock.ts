/**
 * One lock per real file, in the process and between processes. Inside the process callers queue up; whoever has the
 * turn then takes the lock between processes. Nothing is created before the first `run`, nothing keeps an idle process
 * alive, and nothing is ever written into the workspace.
 */
import { hash } from 'node:crypto';
import { createDirectoryLock } from './directory-lock';
import { createPatience, LockTimeout, type Patience } from './lock-patience';
import { createLockQueue } from './lock-queue';
import { createPipeLock } from './pipe-lock';

export { LockDirectoryUnusable } from './lock-directory';
export { LockTimeout };

export const DEFAULT_LOCK_TIMEOUT_MS = 10_000;
/** How long a lock that others wait for stays out of this process's reach, so that one of them gets it. */
const COURTESY_MS = 1;

export interface FileLocks {
  /**
   * Runs `work` while it holds every key. Rejects with LockTimeout, or with the reason of the signal, when the keys
   * cannot be had; once `work` has begun neither interrupts it. `work` must not ask for one of its own keys again.
   */
  run<T>(keys: readonly string[], work: () => Promise<T>, options?: RunOptions): Promise<T>;
}

export interface RunOptions {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export function createFileLocks(options: { directory?: string | undefined } = {}): FileLocks {
  const queue = createLockQueue();
  const between = process.platform === 'win32' ? createPipeLock() : createDirectoryLock(options);

  async function run<T>(keys: readonly string[], work: () => Promise<T>, options: RunOptions = {}): Promise<T> {
    options.signal?.throwIfAborted();
    const patience = createPatience({
      timeoutMs: options.timeoutMs ?? DEFAULT_LOCK_TIMEOUT_MS,
      signal: options.signal,
    });
    const held: Array<() => Promise<void>> = [];
    try {
      for (const key of inCommonOrder(keys)) held.push(await take(key, patience));
      return await work();
    } finally {
      for (const release of held.reverse()) await release();
    }
  }

  async function take(key: string, patience: Patience): Promise<() => Promise<void>> {
    const passOn = await queue.enter(key, patience);
    try {
      const release = await between.acquire(key, patience);
      return async () => {
        const { awaited } = await release();
        if (awaited) setTimeout(passOn, COURTESY_MS).unref();
        else passOn();
      };
    } catch (error) {
      passOn();
      throw error;
    }
  }

  return { run };
}

/**
 * Names a file by its directory and its name there: the inode of the file itself changes with each atomic replace.
 * Names that some file system takes for the same one share a key, which costs nothing where they are two.
 */
export function lockKey(parent: { dev: bigint; ino: bigint }, name: string): string {
  const folded = name.normalize('NFC').toLowerCase().toUpperCase();
  return hash('sha256', `${parent.dev}:${parent.ino}:${folded}`).slice(0, 32);
}

/** Everybody takes several keys in the same order, so no two callers wait for each other. */
function inCommonOrder(keys: readonly string[]): string[] {
  for (const key of keys) if (!/^[\w-]{1,64}$/.test(key)) throw new TypeError(`Not a lock key: ${JSON.stringify(key)}`);
  return [...new Set(keys)].sort();
}
