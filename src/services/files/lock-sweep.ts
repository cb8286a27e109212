import { lstatSync, readdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { LOCK_PREFIX, ownerOf, quietly, SOCKET_SUFFIX } from './lock-directory';
import { isDeadSocket } from './lock-server';

const MAX_OWNERS = 200;
// A socket refuses for a moment between its creation and the first listen.
const MIN_AGE_MS = 10_000;

/** Removes what killed processes left in the lock directory. The socket goes last: it is the proof for all the rest. */
export async function sweepDeadOwners(directory: string): Promise<void> {
  const dead = await findDeadOwners(directory);
  const names = new Set(namesIn(directory));
  // An owner that lost its socket never uses its tokens again.
  const isUseless = (token: string) => dead.has(ownerOf(token)) || !names.has(ownerOf(token) + SOCKET_SUFFIX);
  for (const name of names) {
    const path = join(directory, name);
    if (name.startsWith(LOCK_PREFIX)) breakLockOf(dead, path);
    else if (!name.endsWith(SOCKET_SUFFIX) && isUseless(name) && isOld(path)) {
      quietly(() => rmSync(path, { recursive: true }));
    }
  }
  for (const owner of dead) quietly(() => unlinkSync(join(directory, owner + SOCKET_SUFFIX)));
}

async function findDeadOwners(directory: string): Promise<Set<string>> {
  const dead = new Set<string>();
  const sockets = namesIn(directory).filter((name) => name.endsWith(SOCKET_SUFFIX));
  for (const name of sockets.slice(0, MAX_OWNERS)) {
    const path = join(directory, name);
    if (isOld(path) && (await isDeadSocket(path))) dead.add(ownerOf(name));
  }
  return dead;
}

function breakLockOf(dead: ReadonlySet<string>, lock: string): void {
  for (const owner of namesIn(lock)) if (dead.has(owner)) quietly(() => unlinkSync(join(lock, owner)));
  // Fails, as it should, while anybody holds the lock.
  quietly(() => rmdirSync(lock));
}

function isOld(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > MIN_AGE_MS;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
