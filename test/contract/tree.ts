import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Everything below a directory that a call could change: names, kinds, modes, bytes, and the times of files. */
export function treeOf(root: string, below = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(join(root, below)).sort()) {
    const path = join(below, name);
    const stat = lstatSync(join(root, path), { bigint: true });
    const what = stat.isDirectory()
      ? 'directory'
      : stat.isSymbolicLink()
        ? readlinkSync(join(root, path))
        : readFileSync(join(root, path), 'latin1');
    const times = stat.isDirectory() ? '' : `${stat.mtimeNs} ${stat.ctimeNs}`;
    tree[path] = `${stat.mode.toString(8)} ${stat.ino} ${times} ${what}`;
    if (stat.isDirectory()) Object.assign(tree, treeOf(root, path));
  }
  return tree;
}
