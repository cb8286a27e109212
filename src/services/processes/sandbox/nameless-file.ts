/**
 * Keeps bytes in a file that never has a name, in memory where there is such a place. What leads to it is its
 * descriptor, which stays open as long as the server runs; opened anew, it is read from its beginning.
 */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** O_TMPFILE, without the part that is O_DIRECTORY, which differs between architectures. */
const NAMELESS = 0o20000000;
const OWNER_ONLY = 0o600;

/** The path that opens it; undefined where no such file can be made. */
export function keepNameless(bytes: Uint8Array): string | undefined {
  for (const place of ['/dev/shm', tmpdir()]) {
    const descriptor = fill(place, bytes);
    if (descriptor !== undefined) return `/proc/self/fd/${descriptor}`;
  }
  return undefined;
}

function fill(place: string, bytes: Uint8Array): number | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(place, NAMELESS | constants.O_DIRECTORY | constants.O_RDWR | constants.O_EXCL, OWNER_ONLY);
    if (writeSync(descriptor, bytes) === bytes.length) return descriptor;
  } catch {
    // Another place may do.
  }
  if (descriptor !== undefined) closeSync(descriptor);
  return undefined;
}
