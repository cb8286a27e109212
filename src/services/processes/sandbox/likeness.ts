/**
 * Tells whether a sandbox that was made before shows the roots as one that is made now would. What is mounted shows what
 * is there now; but a mount is gone when its entry is deleted or replaced. So all entries have to be the very same.
 */
import { lstatSync } from 'node:fs';
import type { Option } from './view';
import type { WorkspaceView } from './workspace-view';

/** The same for the same mounts of the same entries; undefined where that cannot be told. */
export function likenessOf({ mounts, guarded }: Pick<WorkspaceView, 'mounts' | 'guarded'>): string | undefined {
  const links = guarded.flatMap(({ directory, name, link }) => (link === undefined ? [] : [[directory, name, link]]));
  const identities = mounts.map(identityOf);
  return identities.includes(undefined) ? undefined : JSON.stringify([mounts, links, identities]);
}

/**
 * The number of an entry is given to another when it is gone; its time of birth is not. What is protected must not have
 * been renamed either, nor have had a second name while its first was replaced: both give it a new time of change. So does
 * work in a directory that may be written to, which can have no second name.
 */
function identityOf([flag, path = '']: Option): string | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stat || stat.birthtimeNs === 0n) return undefined;
  const { dev, ino, birthtimeNs, ctimeNs } = stat;
  return [dev, ino, birthtimeNs, flag === '--bind' && stat.isDirectory() ? 0 : ctimeNs].join(':');
}
