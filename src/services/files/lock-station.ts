/**
 * The place of one process in the lock directory:
 *
 *   <owner>.s    its socket
 *   <owner>.<n>  its tokens: directories with one empty entry `<owner>`, ready to be renamed into a lock
 *
 * The owner is a random name, used once. Nothing is there before the first `ready`; a normal exit removes everything,
 * and what a killed process leaves is swept by the next one.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmdirSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { yieldToLoop } from '../../text/yield-to-loop';
import {
  ANOTHER_PLACE,
  codeOf,
  LockDirectoryUnusable,
  openLockDirectory,
  quietly,
  SOCKET_SUFFIX,
} from './lock-directory';
import type { WaitingRoom } from './lock-server';
import { sweepDeadOwners } from './lock-sweep';

export interface LockStation {
  readonly owner: string;
  /** Gives the place where this process now listens: the same one each time, until something makes it vanish. */
  ready(): Promise<Place>;
  /** Whether the process has listened in this place ever since, so that nobody can have taken it for dead. */
  hasStayed(place: Place): boolean;
  takeToken(place: Place): string;
  returnToken(token: string): void;
  /** After a token vanished: the others cannot be trusted either. */
  abandonTokens(): void;
}

export interface Place {
  readonly directory: string;
  readonly socket: string;
}

const MAX_SPARE_TOKENS = 8;
// Cleaners of temporary directories go by age, in days; a socket touched each hour stays, and tokens are made anew.
const REFRESH_MS = 3_600_000;
// A small part of the time that others give an owner whose socket is missing: nobody takes it for dead so soon.
const LOOK_HOLDS_MS = 100;

export function createLockStation(chosen: string | undefined, room: WaitingRoom): LockStation {
  const owner = randomBytes(8).toString('hex');
  let spare: string[] = [];
  let tokensMade = 0;
  let place: Place | undefined;
  let freshUntil = 0;
  let seenAt = Number.NEGATIVE_INFINITY;
  let settling: Promise<Place> | undefined;

  async function ready(): Promise<Place> {
    if (place && existsSync(place.socket)) {
      seenAt = performance.now();
      if (seenAt > freshUntil) refresh(place);
      return place;
    }
    settling ??= settle().finally(() => {
      settling = undefined;
    });
    const settled = await settling;
    // Whoever waited for it goes on in turns.
    await yieldToLoop();
    return settled;
  }

  async function settle(): Promise<Place> {
    const isFirst = place === undefined;
    const directory = openLockDirectory(chosen);
    const socket = join(directory, owner + SOCKET_SUFFIX);
    spare = [];
    await room.listen(socket).catch((error: unknown) => {
      throw new LockDirectoryUnusable(directory, `no socket can be made there (${codeOf(error)})`, ANOTHER_PLACE);
    });
    place = { directory, socket };
    freshUntil = performance.now() + REFRESH_MS;
    if (isFirst) {
      whenProcessExits(leave);
      sweepDeadOwners(directory).catch(() => undefined);
    }
    return place;
  }

  function refresh({ socket }: Place): void {
    const now = new Date();
    quietly(() => utimesSync(socket, now, now));
    freshUntil = performance.now() + REFRESH_MS;
    for (const token of spare) removeToken(token);
    spare = [];
  }

  function takeToken({ directory }: Place): string {
    return spare.pop() ?? makeToken(directory);
  }

  function makeToken(directory: string): string {
    const token = join(directory, `${owner}.${tokensMade++}`);
    mkdirSync(token, { mode: 0o700 });
    writeFileSync(join(token, owner), '', { flag: 'wx' });
    return token;
  }

  function returnToken(token: string): void {
    if (spare.length < MAX_SPARE_TOKENS) spare.push(token);
    else removeToken(token);
  }

  function removeToken(token: string): void {
    quietly(() => unlinkSync(join(token, owner)));
    quietly(() => rmdirSync(token));
  }

  /** Work under a lock may still be on its way to the disk at exit: then only the end of the process releases it. */
  function leave(): void {
    if (!place || !room.isEmptyHanded()) return;
    for (const token of spare) removeToken(token);
    const { socket } = place;
    quietly(() => unlinkSync(socket));
  }

  return {
    owner,
    ready,
    hasStayed: (since) => since === place && (performance.now() - seenAt < LOOK_HOLDS_MS || existsSync(since.socket)),
    takeToken,
    returnToken,
    abandonTokens() {
      spare = [];
    },
  };
}

// The end of the process is one event for all stations; a listener for each would trip the leak warning.
const leaving: Array<() => void> = [];

function whenProcessExits(leave: () => void): void {
  leaving.push(leave);
  if (leaving.length > 1) return;
  process.once('exit', () => {
    for (const leave of leaving) leave();
  });
}
