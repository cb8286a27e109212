/**
 * Many looks into one held directory. Each that goes through `/proc/self/fd/<fd>/<name>` costs the system three times
 * what it costs by the name alone, so the process goes to stand in the directory, looks, and goes back, in one
 * synchronous step: nothing else of it runs meanwhile, and nothing of it leaves a relative path to another thread.
 */
import { closeSync, constants, openSync } from 'node:fs';
import { type Anchor, O_PATH } from './anchor';

/** The path of a name in the directory, to be used at once. */
export type At = (name: string) => string;

export function standIn<T>(directory: Anchor, use: (at: At) => T): T {
  const origin = goTo(directory);
  if (origin === undefined) return use((name) => directory.at(name));
  try {
    return use((name) => name);
  } finally {
    process.chdir(pathOf(origin));
    closeSync(origin);
  }
}

/** The place it left, held: it may be renamed or removed meanwhile. Undefined where it did not leave. */
function goTo(directory: Anchor): number | undefined {
  if (!directory.isPinned) return undefined;
  let origin: number | undefined;
  try {
    origin = openSync('.', O_PATH | constants.O_DIRECTORY);
    // The way back first: whoever may not enter the place again must not leave it.
    process.chdir(pathOf(origin));
    process.chdir(directory.at());
    return origin;
  } catch {
    // Whatever the reason, there is the longer way, and it says what is wrong.
    if (origin !== undefined) closeSync(origin);
    return undefined;
  }
}

function pathOf(fd: number): string {
  return `/proc/self/fd/${fd}/.`;
}
