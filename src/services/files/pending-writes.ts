/**
 * Remembers the temporary files that are being written, so that those of a killed process can be removed later
 * without searching the disk. A note is a symlink in a private directory of the user: its name is the id of the
 * temporary file, its content the path of the file that is to be replaced. Whether the writer still lives needs no
 * asking: a temporary file is used only under the lock of its target, so who has that lock may remove it.
 */
import { readdirSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDirectory, openLockDirectory, quietly } from './lock-directory';

export interface PendingWrites {
  /** Notes a write that is about to begin; the returned function forgets it. */
  begin(target: string, id: string): () => void;
  /** The writes of others that are running or were never finished. */
  unfinished(): { target: string; id: string; forget(): void }[];
}

export function createPendingWrites(chosen?: string): PendingWrites {
  const directory = chosen ?? `${defaultDirectory()}-writes`;
  let isOpen = false;
  return {
    begin(target, id) {
      if (!isOpen) openLockDirectory(directory);
      isOpen = true;
      const note = join(directory, id);
      // Without a note the write is as good; only its remains would be found later.
      quietly(() => symlinkSync(target, note));
      return () => quietly(() => unlinkSync(note));
    },
    unfinished: () =>
      notesIn(directory).flatMap((id) => {
        const note = join(directory, id);
        const target = targetOf(note);
        return target === undefined ? [] : [{ id, target, forget: () => quietly(() => unlinkSync(note)) }];
      }),
  };
}

function notesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function targetOf(note: string): string | undefined {
  try {
    return readlinkSync(note);
  } catch {
    return undefined;
  }
}
