/** What a walk ends with: a place that is held while somebody works on it. */
import type { Anchor } from './anchor';
import { faultOf } from './errno';

/** A held directory and a name in it; the name is `''` where the path means the held directory itself. */
export interface Pin {
  readonly directory: Anchor;
  readonly name: string;
  readonly shown: string;
  /** Only a directory can be meant: the path was written with a trailing slash. */
  readonly isDirectory: boolean;
  /** The segments below the root, without links. */
  readonly segments: readonly string[];
  /** Where it really is; for comparisons and for people, never to open anything. */
  readonly real: string;
  /** What is meant, opened for reading on arrival; the pin closes it. */
  readonly opened?: number | undefined;
  /** The path of what is meant, through the held directory. */
  at(): string;
  /** The same for a synchronous call, made at once. */
  near(): string;
  /** Brings the directories that the walk created to disk; undefined where there is none. */
  syncCreated(): Promise<void> | undefined;
  /** Lets go of the directory. After a failure, the directories that the walk created are removed again. */
  release(outcome: 'done' | 'failed'): void;
}

/** Holds a path while `use` works on it; system errors come out as faults about the path. */
export async function usePin<T>(take: () => Pin, use: (pin: Pin) => Promise<T>): Promise<T> {
  const pin = take();
  let outcome: 'done' | 'failed' = 'failed';
  try {
    const syncing = pin.syncCreated();
    if (syncing) await syncing;
    const result = await use(pin);
    outcome = 'done';
    return result;
  } catch (thrown) {
    throw faultOf(thrown, pin.shown, 0);
  } finally {
    pin.release(outcome);
  }
}

/** Holds a directory for a program that is to run in it: a path to enter by, and the one to show. */
export async function holdDirectory<T>(
  pin: Pin,
  use: (directory: { enter: string; real: string }) => Promise<T>,
): Promise<T> {
  return usePin(
    () => pin,
    () => use({ enter: pin.at(), real: pin.real }),
  );
}
