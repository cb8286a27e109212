/** Where the trials keep what they fetch and what they make. Git ignores all of it. */
import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../test/harness/binary';

export const cache = join(repository, '.cache', 'versus');

/** Memory instead of disk, for trials whose outcome does not depend on the disk: syncing costs nothing there. */
const SHARED_MEMORY = '/dev/shm';

export interface Folder {
  readonly path: string;
  at(...names: string[]): string;
  remove(): void;
}

export function makeFolder({ inMemory }: { inMemory: boolean }): Folder {
  const parent = inMemory && isWritable(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir();
  const path = realpathSync(mkdtempSync(join(parent, 'tenon-versus-')));
  return {
    path,
    at: (...names) => join(path, ...names),
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

export function makeCache(...names: string[]): string {
  const path = join(cache, ...names);
  mkdirSync(path, { recursive: true });
  return path;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
