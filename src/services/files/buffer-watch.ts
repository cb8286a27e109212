/**
 * Notices when the editor's text of a file is older than the disk. A command changes files behind the editor's back;
 * an editor that has not looked since still gives the old text. Whether that text is what the person typed or what
 * the disk once held is told by comparing: a buffer that was equal to the disk, and has not changed since, is old.
 */
import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lookAt } from './disk';
import type { Pin } from './pin';
import type { ProvidedText } from './text-provider';

export interface BufferWatch {
  /** A command starts now: from here on files may change on disk. */
  commandRan(): void;
  /** Judges the editor's text of a file by what is on disk, and remembers both. */
  judge(pin: Pin, buffer: string, readDisk: () => Promise<ProvidedText | undefined>): Promise<Judgement>;
  /** The editor took this text: what is on disk now is known, and is no news later. */
  wrote(pin: Pin, buffer: string, readDisk: () => Promise<ProvidedText | undefined>): Promise<void>;
}

export type Judgement =
  | { readonly kind: 'fresh' }
  /** The buffer is what the disk held before; this is what it holds now. */
  | { readonly kind: 'stale'; readonly disk: ProvidedText }
  /** Both have changed, or nothing is known of before. */
  | { readonly kind: 'differs' };

interface Seen {
  readonly buffer: string;
  readonly disk: string;
  readonly isClean: boolean;
  /** Said of both as they are: every reader is told, not only the first. */
  readonly differs: boolean;
}

const MAX_REMEMBERED = 1000;
/** Files are stamped by a clock that moves in steps: a change can seem to lie before the command that made it. */
const CLOCK_STEP_MS = 20;

export function createBufferWatch(): BufferWatch {
  const seen = new Map<string, Seen>();
  let firstCommandMs: number | undefined;

  return {
    commandRan() {
      firstCommandMs ??= Date.now();
    },
    async wrote(pin, buffer, readDisk) {
      const before = seen.get(pin.real);
      const disk = signatureOf(lookAt(pin));
      const isClean = (await readDisk())?.text === buffer;
      const differs = !isClean && before?.differs === true && before.disk === disk;
      remember(pin.real, { buffer: digest(buffer), disk, isClean, differs });
    },
    async judge(pin, buffer, readDisk) {
      const stat = lookAt(pin);
      const now = { buffer: digest(buffer), disk: signatureOf(stat) };
      const before = seen.get(pin.real);
      if (before?.buffer === now.buffer && before.disk === now.disk) return verdictOn(before);
      const disk = stat ? await readDisk() : undefined;
      const isClean = disk?.text === buffer;
      const isChanged = before?.disk === now.disk ? before.differs : mayBeByCommand(stat);
      if (disk && !isClean && before?.isClean && before.buffer === now.buffer) return { kind: 'stale', disk };
      const state = { ...now, isClean, differs: disk !== undefined && !isClean && isChanged };
      remember(pin.real, state);
      return verdictOn(state);
    },
  };

  function mayBeByCommand(stat: BigIntStats | undefined): boolean {
    return firstCommandMs !== undefined && Number(stat?.mtimeMs ?? 0) >= firstCommandMs - CLOCK_STEP_MS;
  }

  function remember(path: string, state: Seen): void {
    seen.delete(path);
    seen.set(path, state);
    const [oldest] = seen.keys();
    if (seen.size > MAX_REMEMBERED && oldest !== undefined) seen.delete(oldest);
  }
}

function verdictOn({ differs }: Seen): Judgement {
  return { kind: differs ? 'differs' : 'fresh' };
}

function signatureOf(stat: BigIntStats | undefined): string {
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}` : '';
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
