import type { Patience } from './lock-patience';

/** The order inside one process: first come, first served, per key. */
export interface LockQueue {
  /** Resolves when it is this caller's turn; the function it gives passes the turn on. */
  enter(key: string, patience: Patience): Promise<() => void>;
}

export function createLockQueue(): LockQueue {
  // A key is present while somebody has its turn; the list holds those who wait behind.
  const lines = new Map<string, Set<() => void>>();

  async function enter(key: string, patience: Patience): Promise<() => void> {
    const line = lines.get(key);
    if (line) await standIn(line, patience);
    else lines.set(key, new Set());
    return () => passOn(key);
  }

  function passOn(key: string): void {
    const line = lines.get(key);
    const [next] = line ?? [];
    if (!next) {
      lines.delete(key);
      return;
    }
    line?.delete(next);
    next();
  }

  return { enter };
}

async function standIn(line: Set<() => void>, patience: Patience): Promise<void> {
  await patience.wait<void>((done) => {
    const go = () => done();
    line.add(go);
    return () => line.delete(go);
  });
}
