import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../src/contract/fault';
import { readBytes } from '../../src/services/files/disk';
import { createJail, type Jail } from '../../src/services/files/jail';
import { usePin } from '../../src/services/files/pin';
import { type Found, openOracle } from '../kernel-oracle';
import { makeMaze, mazePaths } from '../path-maze';
import { failures, notRun, type Trial } from '../trial';

const SEED = 20261115;
const MAX_BYTES = 1_048_576;

export const pathFuzz: Trial = {
  name: 'path-fuzz',
  what: `Paths made at random (seed ${SEED}) from names, links in and out, loops, magic links of /proc, dots, encodings and odd characters are opened by our jail in this process, and by the kernel with openat2(RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS). Counted: paths by which the jail opened something outside, and differences from the kernel that none of our rules explains. Only our own code can be tried this way.`,
  async run(server, scale) {
    if (!server.isOurs) return {};
    const count = scale.count({ ours: 200_000, peers: 0, quick: 4_000 });
    const maze = makeMaze();
    const oracle = await openOracle(maze.root).catch((error: Error) => error.message);
    try {
      if (typeof oracle === 'string') return { 'path fuzz': notRun(`koffi cannot be had: ${oracle}`) };
      const jail = createJail([maze.root], { pinned: true });
      const inside = inodesBelow(maze.root);
      const classes = new Map<string, number>();
      let escapes = 0;
      let unexplained = 0;
      let tried = 0;
      const opened = openDescriptors();
      for (const path of mazePaths(SEED, maze.root)) {
        if (tried++ >= count) break;
        const ours = await openOurs(jail, path);
        const kernel = path.includes('\0') ? 'EINVAL' : oracle.open(path);
        if (typeof ours === 'object' && !inside.has(ours.inode)) escapes++;
        const why = explain(path, ours, kernel);
        if (why === undefined) continue;
        if (why.startsWith('?')) unexplained++;
        classes.set(why, (classes.get(why) ?? 0) + 1);
      }
      const leaked = openDescriptors() - opened;
      const told = [...classes].sort((one, other) => other[1] - one[1]);
      const notes = told.map(([why, times]) => `${times.toLocaleString('en')} × ${why}`);
      if (leaked > 0) notes.push(`${leaked} descriptors leaked`);
      return {
        'path fuzz against the kernel: escapes': failures(escapes, count),
        'path fuzz against the kernel: differences without a reason': failures(
          unexplained + Math.max(0, leaked),
          count,
          notes,
        ),
      };
    } finally {
      if (typeof oracle !== 'string') oracle.close();
      maze.folder.remove();
    }
  },
};

async function openOurs(jail: Jail, path: string): Promise<Found | string> {
  try {
    const admitted = jail.paths('relative').admit(path);
    return await usePin(
      () => jail.pin(admitted, { follow: true, missing: 'file_not_found' }),
      async (pin) => {
        const { stat } = await readBytes(pin, { maxBytes: MAX_BYTES });
        return { inode: stat.ino, kind: 'file' as const };
      },
    );
  } catch (error) {
    if (error instanceof Fault) return error.kind;
    throw error;
  }
}

/** Undefined where both agree: the same file, or no file for either. */
function explain(path: string, ours: Found | string, kernel: Found | string): string | undefined {
  if (typeof ours === 'string') {
    if (typeof kernel === 'string') return undefined;
    return explainRefusal(path, ours, kernel);
  }
  if (typeof kernel === 'object' && kernel.inode === ours.inode) return undefined;
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments[0] === 'workspace') return 'a leading `workspace` means the served folder itself';
  if (kernel === 'EXDEV' && segments.some((segment) => LEAVING_LINKS.has(segment)))
    return 'a link that names an absolute path, or leaves and returns, is followed if it ends inside';
  return `? ${JSON.stringify(path)}: opened, where the kernel says ${JSON.stringify(kernel, asText)}`;
}

function explainRefusal(path: string, ours: string, kernel: Found): string {
  if (ours === 'not_a_file' && kernel.kind !== 'file') return 'a directory is no file to read';
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (ours === 'invalid_path' && segments.includes('..')) return '`..` is refused as it is written';
  if (ours === 'invalid_path' && path.includes('\\')) return 'a backslash is refused';
  if (ours === 'invalid_path' && /\p{Cc}/u.test(path)) return 'a control character is refused';
  if (ours === 'invalid_path' && segments[0] === 'C:') return 'a drive letter is refused';
  if (ours === 'invalid_path' && segments[0] === 'workspace')
    return 'a leading `workspace` means the served folder itself';
  if (segments[0] === 'workspace') return 'a leading `workspace` means the served folder itself';
  return `? ${JSON.stringify(path)}: ${ours}, where the kernel opens a ${kernel.kind}`;
}

const LEAVING_LINKS = new Set(['absolute-in', 'leave-and-return', 'magic-cwd', 'up3', 'magic-root']);

function asText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function inodesBelow(folder: string): Set<bigint> {
  const inodes = new Set([statSync(folder, { bigint: true }).ino]);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) for (const inode of inodesBelow(join(folder, entry.name))) inodes.add(inode);
    else if (entry.isFile()) inodes.add(statSync(join(folder, entry.name), { bigint: true }).ino);
  }
  return inodes;
}

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}
