/**
 * Lists a held directory, bytewise by path, and stops at the limit. Siblings are sorted with each directory standing
 * twice: once as an entry under its name, once as its contents under `name/`. Walking that order gives exactly the
 * bytewise order of all paths, without reading more than is returned.
 */
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import type { DirectoryEntry } from '../../contract/ports';
import type { Anchor } from './anchor';
import { isTemporaryName } from './atomic-write';
import { errnoOf } from './errno';
import type { Pin } from './walk';

interface Listing {
  readonly entries: DirectoryEntry[];
  truncated: boolean;
}

export function listDirectory(pin: Pin, options: { recursive: boolean; maxEntries: number }): Listing {
  const listing: Listing = { entries: [], truncated: false };
  // As the directory was named: behind a link, the entries are shown behind that link.
  const prefix = pin.shown === '.' ? '' : `${pin.shown}/`;
  collect(pin.directory, prefix, listing, options);
  return listing;
}

function collect(
  directory: Anchor,
  prefix: string,
  listing: Listing,
  options: { recursive: boolean; maxEntries: number },
): void {
  const children = readdirSync(directory.at(), { withFileTypes: true }).filter(({ name }) => !isTemporaryName(name));
  for (const { dirent, isContents } of inOrder(children, options.recursive)) {
    if (listing.truncated) return;
    if (isContents) collectBelow(directory, dirent.name, prefix, listing, options);
    else if (listing.entries.length === options.maxEntries) listing.truncated = true;
    else addEntry(directory, dirent, prefix, listing);
  }
}

function inOrder(children: readonly Dirent[], recursive: boolean): { dirent: Dirent; isContents: boolean }[] {
  const keyed = children.flatMap((dirent) => {
    const entry = { key: dirent.name, dirent, isContents: false };
    return recursive && dirent.isDirectory() ? [entry, { key: `${dirent.name}/`, dirent, isContents: true }] : [entry];
  });
  return keyed.sort((a, b) => compareBytes(a.key, b.key));
}

function collectBelow(
  parent: Anchor,
  name: string,
  prefix: string,
  listing: Listing,
  options: { recursive: boolean; maxEntries: number },
): void {
  let directory: Anchor;
  try {
    directory = parent.enter(name);
  } catch (thrown) {
    // Gone, replaced by a link, or not ours to read: its entry stands, its contents are not shown.
    if (errnoOf(thrown) === undefined) throw thrown;
    return;
  }
  try {
    collect(directory, `${prefix}${name}/`, listing, options);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EACCES') throw thrown;
  } finally {
    directory.close();
  }
}

function addEntry(directory: Anchor, dirent: Dirent, prefix: string, listing: Listing): void {
  const path = prefix + dirent.name;
  if (dirent.isDirectory()) listing.entries.push({ path, type: 'dir' });
  else if (dirent.isSymbolicLink()) listing.entries.push({ path, type: 'symlink' });
  else {
    const stat = lstatSync(directory.at(dirent.name), { throwIfNoEntry: false });
    if (stat) listing.entries.push({ path, type: 'file', size: stat.size });
  }
}

/** UTF-16 order and byte order differ only where surrogates are involved. */
function compareBytes(one: string, other: string): number {
  if (/[\ud800-\udfff]/.test(one + other)) return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : one > other ? 1 : 0;
}
