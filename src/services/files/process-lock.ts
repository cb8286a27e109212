import type { Patience } from './lock-patience';

/** A lock that other processes respect too. Within one process at most one caller at a time asks for a key. */
export interface ProcessLock {
  acquire(key: string, patience: Patience): Promise<Release>;
}

/** Tells whether others waited. Never rejects: the work is done by then, and its result must reach the caller. */
export type Release = () => Promise<{ awaited: boolean }>;
