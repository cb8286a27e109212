/**
 * Lists a held directory, bytewise by path, and stops at the limit. Siblings are sorted with each directory standing
 * twice: once as an entry under its name, once as its contents under `name/`. Walking that order gives exactly the
 * bytewise order of all paths, without reading more directories than contribute to what is returned.
 */
import { type Dirent, lstatSync } from 'node:fs';
import type { DirectoryEntry } from '../../contract/ports';
import { createPace, type Pace } from '../../text/yield-to-loop';
import type { Anchor } from './anchor';
import { errnoOf } from './errno';
import { comparerFor, firstEntries } from './first-entries';
import type { Pin } from './pin';

export interface ListOptions {
  readonly recursive: boolean;
  readonly maxEntries: number;
}

interface Listing {
  readonly entries: DirectoryEntry[];
  truncated: boolean;
}

interface Progress extends ListOptions {
  readonly listing: Listing;
  readonly pace: Pace;
}

export async function listDirectory(pin: Pin, options: ListOptions): Promise<Listing> {
  const listing: Listing = { entries: [], truncated: false };
  // As the directory was named: behind a link, the entries are shown behind that link.
  const prefix = pin.shown === '.' ? '' : `${pin.shown}/`;
  await collect(pin.directory, prefix, { ...options, listing, pace: createPace() });
  return listing;
}

async function collect(directory: Anchor, prefix: string, progress: Progress): Promise<void> {
  const { listing, recursive, maxEntries, pace } = progress;
  // One more than fit tells that there are more.
  const { entries, isCut } = await firstEntries(directory, maxEntries - listing.entries.length + 1, pace);
  for (const { dirent, isContents } of inOrder(entries, recursive)) {
    if (listing.truncated) return;
    if (pace.isTired()) await pace.rest();
    if (isContents) await collectBelow(directory, dirent.name, prefix, progress);
    else if (listing.entries.length === maxEntries) listing.truncated = true;
    else addEntry(directory, dirent, prefix, listing);
  }
  // Also where some of the first are gone by now.
  listing.truncated ||= isCut;
}

function inOrder(sorted: readonly Dirent[], recursive: boolean): { dirent: Dirent; isContents: boolean }[] {
  if (!recursive) return sorted.map((dirent) => ({ dirent, isContents: false }));
  const keyed = sorted.flatMap((dirent) => {
    const entry = { key: dirent.name, dirent, isContents: false };
    return dirent.isDirectory() ? [entry, { key: `${dirent.name}/`, dirent, isContents: true }] : [entry];
  });
  const compare = comparerFor(sorted.map(({ name }) => name));
  return keyed.sort((one, other) => compare(one.key, other.key));
}

async function collectBelow(parent: Anchor, name: string, prefix: string, progress: Progress): Promise<void> {
  let directory: Anchor;
  try {
    directory = parent.enter(name);
  } catch (thrown) {
    // Gone, replaced by a link, or not ours to read: its entry stands, its contents are not shown.
    if (errnoOf(thrown) === undefined) throw thrown;
    return;
  }
  try {
    await collect(directory, `${prefix}${name}/`, progress);
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
