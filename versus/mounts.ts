/** File systems of our own, for trials that fill them, forbid writing on them, or cut their power. Needs root. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { type Folder, makeFolder } from './places';

export interface Mounted {
  readonly path: string;
  remount(options: string): void;
  /** Unmounts and removes everything. */
  remove(): void;
}

export function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    mountMemory('64k').remove();
    return true;
  } catch {
    return false;
  }
}

export function mountMemory(size: string): Mounted {
  const folder = makeFolder({ inMemory: false });
  const path = folder.at('disk');
  mkdirSync(path);
  try {
    system('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path);
  } catch (error) {
    folder.remove();
    throw error;
  }
  return {
    path,
    remount: (options) => system('mount', '-o', `remount,${options}`, path),
    remove: () => unmountAndRemove(path, folder),
  };
}

export interface Disk extends Mounted {
  /** Lets the next `reopen` find what was synced, and nothing else. */
  cutPower(helper: string): void;
  /** Mounts it anew, which replays the journal. */
  reopen(): void;
}

export function mountImage(megabytes: number): Disk {
  const folder = makeFolder({ inMemory: true });
  const image = folder.at('image');
  const path = folder.at('disk');
  mkdirSync(path);
  try {
    system('truncate', '-s', `${megabytes}M`, image);
    system('mkfs.ext4', '-q', '-F', image);
    system('mount', '-o', 'loop', image, path);
  } catch (error) {
    folder.remove();
    throw error;
  }
  return {
    path,
    remount: (options) => system('mount', '-o', `remount,${options}`, path),
    cutPower: (helper) => system(helper, path),
    reopen() {
      system('umount', path);
      system('mount', '-o', 'loop', image, path);
    },
    remove: () => unmountAndRemove(path, folder),
  };
}

function unmountAndRemove(path: string, folder: Folder): void {
  try {
    system('umount', path);
  } catch {
    // Somebody is still in it: taken off the tree now, and gone when they are.
    system('umount', '-l', path);
  }
  folder.remove();
}

function system(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
