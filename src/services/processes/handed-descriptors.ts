/**
 * The descriptors that a sandbox gets besides the standard ones: what it is handed, from 3 on, and after these one on
 * which it reports. A file is opened anew for each start, so that it is read from its beginning and as it is now; that
 * is far cheaper than a pipe, which Node makes a stream of.
 */
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import type { Confinement } from './confinement';

type Extra = 'pipe' | 'ignore' | number;

export interface HandedDescriptors {
  /** For `stdio` of spawn, after the standard ones. */
  readonly extra: readonly Extra[];
  /** To be called as soon as the sandbox has them, or could not be started. */
  close(): void;
}

/** The first descriptor after the standard ones. */
const FIRST_EXTRA = 3;

export function openHanded({ handed, masked }: Pick<Confinement, 'handed' | 'masked'>): HandedDescriptors {
  const opened: number[] = [];
  const close = () => opened.forEach((descriptor) => void closeSync(descriptor));
  try {
    const extra: Extra[] = [...handed.map((each) => (typeof each === 'string' ? openFile(each) : 'pipe')), 'pipe'];
    for (const descriptor of masked) mask(extra, descriptor - FIRST_EXTRA);
    return { extra, close };
  } catch (error) {
    close();
    throw error;
  }

  /** A file that has gone since the plan was made is an empty one. */
  function openFile(path: string): Extra {
    const descriptor = openIfThere(path);
    if (descriptor === undefined) return 'ignore';
    opened.push(descriptor);
    return descriptor;
  }

  /** Nothing in place of what we were given ourselves. */
  function mask(extra: Extra[], index: number): void {
    if (index <= handed.length) return;
    while (extra.length < index) extra.push('ignore');
    extra[index] = openFile('/dev/null');
  }
}

/** Gives the sandbox what goes through pipes; what it reports comes back. */
export function handOver(child: ChildProcess, { handed }: Pick<Confinement, 'handed'>): Readable | undefined {
  handed.forEach((each, index) => {
    const stream = child.stdio[FIRST_EXTRA + index];
    if (typeof each === 'string' || !(stream instanceof Writable)) return;
    // A sandbox that ended at once has left something unread.
    stream.on('error', () => {});
    stream.end(each, () => stream.destroy());
  });
  const reports = child.stdio[FIRST_EXTRA + handed.length];
  return reports instanceof Readable ? reports : undefined;
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
