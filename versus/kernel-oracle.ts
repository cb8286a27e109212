/** What the kernel itself says of a path below a directory: openat2 with RESOLVE_BENEATH. Needs koffi. */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { install } from './install';

const VERSION = '3.3.4';
const SYS_OPENAT2 = 437;
const RESOLVE_NO_MAGICLINKS = 0x02n;
const RESOLVE_BENEATH = 0x08n;

export interface Found {
  readonly inode: bigint;
  readonly kind: 'file' | 'directory' | 'other';
}

export interface Oracle {
  /** What is there, or the name of the error. */
  open(path: string): Found | string;
  close(): void;
}

interface Koffi {
  load(library: null): { func(declaration: string): (...args: unknown[]) => bigint | number };
  errno(): number;
  os: { errno: Record<string, number> };
}

export async function openOracle(root: string): Promise<Oracle> {
  const modules = await install({ folder: `koffi-${VERSION}`, dependencies: { koffi: VERSION } });
  const koffi = createRequire(join(modules, 'x.js'))('koffi') as Koffi;
  const syscall = koffi
    .load(null)
    .func('long syscall(long number, int folder, const char *path, void *how, size_t size)');
  const names = new Map(Object.entries(koffi.os.errno).map(([name, number]) => [number, name]));
  const folder = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY);
  const how = Buffer.alloc(24);
  how.writeBigUInt64LE(BigInt(constants.O_RDONLY | constants.O_NONBLOCK), 0);
  how.writeBigUInt64LE(RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS, 16);
  return {
    open(path) {
      const fd = Number(syscall(SYS_OPENAT2, folder, path, how, how.length));
      if (fd < 0) return names.get(koffi.errno()) ?? `errno ${koffi.errno()}`;
      try {
        const stat = fstatSync(fd, { bigint: true });
        return { inode: stat.ino, kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other' };
      } finally {
        closeSync(fd);
      }
    },
    close: () => closeSync(folder),
  };
}
