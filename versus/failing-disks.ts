/** Small disks that fail in one way each. */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mounted, mountMemory } from './mounts';
import type { DiskFault } from './our-codes';

export interface FailingDisk {
  readonly fault: DiskFault;
  mount(): Mounted;
  /** From now on it fails. */
  spoil(disk: Mounted): void;
}

/** What the disk is filled with; no part of any tree. */
export const FILLER = 'filler';
/** One page stays free, so that writing begins and then fails. */
const LEFT_BYTES = 8_192;
const MAX_NAMES = 64;

export const full: FailingDisk = {
  fault: 'full',
  mount: () => mountMemory('1m'),
  spoil: ({ path }) => fillBytes(join(path, FILLER)),
};

export const nameless: FailingDisk = {
  fault: 'full',
  mount: () => mountMemory(`1m,nr_inodes=${MAX_NAMES}`),
  spoil: ({ path }) => takeNames(path),
};

export const readOnly: FailingDisk = {
  fault: 'read-only',
  mount: () => mountMemory('1m'),
  spoil: (disk) => disk.remount('ro'),
};

export function fillers(path: string): string[] {
  return readdirSync(path).filter((name) => name.startsWith(FILLER));
}

function fillBytes(path: string): void {
  const chunk = Buffer.alloc(4_096);
  try {
    for (;;) writeFileSync(path, chunk, { flag: 'a' });
  } catch {
    writeFileSync(path, Buffer.alloc(Math.max(0, statSync(path).size - LEFT_BYTES)));
  }
}

function takeNames(path: string): void {
  try {
    for (let at = 0; at <= MAX_NAMES; at++) writeFileSync(join(path, `${FILLER}${at}`), '');
  } catch {
    return;
  }
  throw new Error('the disk takes any number of names');
}
