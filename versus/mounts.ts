/** File systems of our own, for trials that fill them, forbid writing on them, or cut their power. Needs root. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
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
  let opened = 0;
  let image = folder.at('image');
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
      unmount(path);
      // A copy: where another mount namespace still holds the dead one, the same image would give it back.
      const next = folder.at(`image${++opened}`);
      copyFileSync(image, next);
      rmSync(image);
      image = next;
      system('mount', '-o', 'loop', image, path);
    },
    remove: () => unmountAndRemove(path, folder),
  };
}

function unmountAndRemove(path: string, folder: Folder): void {
  unmount(path);
  folder.remove();
}

function unmount(path: string): void {
  try {
    system('umount', path);
  } catch {
    // Somebody is still in it: taken off the tree now, and gone when they are.
    system('umount', '-l', path);
  }
}

function system(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
