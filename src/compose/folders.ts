import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Settings } from '../cli/settings';
import { UsageError } from '../cli/usage-error';

/** Said at the start, though the folders are held only when the first call comes. */
export function refuseMissingFolders({ roots, memoryDir }: Settings): void {
  for (const folder of memoryDir === undefined ? roots : [...roots, memoryDir]) existingDirectory(folder);
}

export function existingDirectory(path: string): string {
  const absolute = resolve(path);
  const stat = statSync(absolute, { throwIfNoEntry: false });
  if (!stat) throw new UsageError(`There is no directory ${absolute}`);
  if (!stat.isDirectory()) throw new UsageError(`${absolute} is not a directory`);
  return absolute;
}
