/**
 * The lock between processes. A lock is held while the directory `L<key>` has an entry, which is named by its owner.
 *
 *   take     rename a token onto L<key>; the system allows it only while L<key> is absent or empty
 *   wait     connect to the owner's socket and stay until it answers or dies
 *   break    unlink L<key>/<owner> of a dead owner; the entry of the next owner has another name and is never hit
 *   release  rename the token back, then send the waiters to try, the longest waiting first
 *
 * No process number and no age decides who is dead, so it holds across namespaces and restarts, and a stopped owner
 * keeps its lock. Every change of a lock and of what this process knows about it happens in one turn of
 * the event loop, so an answer to a waiter is never ahead of the disk or behind it.
 */
import { readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, LOCK_PREFIX, quietly, SOCKET_SUFFIX } from './lock-directory';
import type { Patience } from './lock-patience';
import { askHolder, createWaitingRoom } from './lock-server';
import { createLockStation, type Place } from './lock-station';
import type { ProcessLock, Release } from './process-lock';

// A holder without a socket may be alive, after a clean-up under its feet; it gets the time to finish.
const MISSING_GRACE_MS = 1_000;
const MISSING_RETRY_MS = 20;
const MAX_VANISHED = 5;
// Without these two, a busy process would take its own lock again and again before it hears the others ask.
const LISTEN_EVERY_MS = 1;
const RECENT_REQUEST_MS = 50;

interface Held {
  readonly place: Place;
  readonly lock: string;
  readonly token: string;
  /** Whether it had to be waited for. */
  readonly contested: boolean;
}

export function createDirectoryLock(options: { directory?: string | undefined }): ProcessLock {
  const room = createWaitingRoom();
  const station = createLockStation(options.directory, room);
  let listenedAt = Number.NEGATIVE_INFINITY;
  /** The loop has come round since the last release, by itself or because it was waited for. */
  let hasListened = true;

  async function acquire(key: string, patience: Patience): Promise<Release> {
    if (!hasListened && performance.now() - listenedAt > LISTEN_EVERY_MS) await listenToOthers();
    const wait = createWait(key, patience);
    let vanished = 0;
    for (;;) {
      const place = await station.ready();
      const lock = join(place.directory, LOCK_PREFIX + key);
      const token = station.takeToken(place);
      const result = putInPlace(token, lock);
      if (result === 'done') {
        room.hold(key);
        return () => release(key, { place, lock, token, contested: wait.contested() });
      }
      if (result === 'occupied') {
        station.returnToken(token);
        await wait.forHolder(place.directory, lock);
      } else {
        station.abandonTokens();
        if (++vanished > MAX_VANISHED) throw new Error(`The locks in ${place.directory} do not stay in place`);
      }
    }
  }

  async function release(key: string, held: Held): ReturnType<Release> {
    if (held.contested || room.sinceLastRequest() < RECENT_REQUEST_MS) await listenToOthers();
    // After an absence the lock may have been broken and taken by another; then only our entry is ours to remove.
    if (station.hasStayed(held.place) && takeBack(held)) station.returnToken(held.token);
    else dropEntry(held.lock);
    if (hasListened) setImmediate(noteListening);
    hasListened = false;
    return { awaited: room.release(key) > 0 };
  }

  async function listenToOthers(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    noteListening();
  }

  function noteListening(): void {
    hasListened = true;
    listenedAt = performance.now();
  }

  function dropEntry(lock: string): void {
    quietly(() => unlinkSync(join(lock, station.owner)));
    quietly(() => rmdirSync(lock));
  }

  return { acquire };
}

/** The waiting of one caller for one key; it keeps its place by age, however often the holder changes. */
function createWait(key: string, patience: Patience) {
  const since = Number(process.hrtime.bigint() / 1_000n);
  let contested = false;
  let missing: { holder: string; since: number } | undefined;

  async function forHolder(directory: string, lock: string): Promise<void> {
    contested = true;
    patience.check();
    const holder = holderOf(lock);
    if (holder === undefined) return;
    const found = await askHolder(join(directory, holder + SOCKET_SUFFIX), { key, since }, patience);
    if (found.state === 'missing') return doubt(lock, holder);
    missing = undefined;
    if (found.state === 'dead') breakLock(lock, holder);
    else if (found.retryAfterMs > 0) await patience.pause(found.retryAfterMs);
  }

  async function doubt(lock: string, holder: string): Promise<void> {
    const now = performance.now();
    if (missing?.holder !== holder) missing = { holder, since: now };
    if (now - missing.since > MISSING_GRACE_MS) breakLock(lock, holder);
    else await patience.pause(MISSING_RETRY_MS);
  }

  return { forHolder, contested: () => contested };
}

function breakLock(lock: string, holder: string): void {
  quietly(() => unlinkSync(join(lock, holder)));
}

function takeBack({ lock, token }: Held): boolean {
  try {
    renameSync(lock, token);
    return true;
  } catch {
    return false;
  }
}

function holderOf(lock: string): string | undefined {
  try {
    return readdirSync(lock)[0];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function putInPlace(token: string, lock: string): 'done' | 'occupied' | 'vanished' {
  try {
    renameSync(token, lock);
    return 'done';
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return 'occupied';
    if (code === 'ENOENT') return 'vanished';
    throw error;
  }
}
