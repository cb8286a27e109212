/**
 * Lists a held directory, bytewise by path, and stops at the limit. Siblings are sorted with each directory standing
 * twice: once as an entry under its name, once as its contents under `name/`. Walking that order gives exactly the
 * bytewise order of all paths, without reading more directories than contribute to what is returned.
 */
import type { DirectoryEntry } from '../../contract/ports';
import { sortBytewise } from '../../text/first-of-many';
import { isTurnLong, yieldToLoop } from '../../text/yield-to-loop';
import type { Anchor } from './anchor';
import { EntryLooks } from './entry-looks';
import { errnoOf } from './errno';
import type { Kinds } from './first-entries';
import type { KnownEntries } from './known-entries';
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
  readonly known: KnownEntries;
  readonly listing: Listing;
}

export async function listDirectory(pin: Pin, options: ListOptions, known: KnownEntries): Promise<Listing> {
  const listing: Listing = { entries: [], truncated: false };
  // As the directory was named: behind a link, the entries are shown behind that link.
  const prefix = pin.shown === '.' ? '' : `${pin.shown}/`;
  await collect(pin.directory, prefix, { ...options, known, listing });
  return listing;
}

async function collect(directory: Anchor, prefix: string, progress: Progress): Promise<void> {
  const { listing, recursive, maxEntries, known } = progress;
  // One more than fit tells that there are more.
  const count = maxEntries - listing.entries.length + 1;
  const looks = new EntryLooks(directory, prefix);
  const meanwhile = recursive ? undefined : (former: readonly string[]) => looks.lookEarly(former);
  const { names, kinds, isCut } = await known.of(directory, { count, meanwhile });
  const keys = recursive ? withContents(names, kinds) : names;
  for (let at = 0; at < keys.length && !listing.truncated; ) {
    if (isTurnLong()) await yieldToLoop();
    const stretch = namesFrom(keys, at, maxEntries - listing.entries.length);
    if (stretch.length > 0) at += looks.add(stretch, kinds, listing.entries);
    else if (isContents(keys[at])) await collectBelow(directory, (keys[at++] as string).slice(0, -1), prefix, progress);
    else listing.truncated = true;
  }
  // Also where some of the first are gone by now.
  listing.truncated ||= isCut;
}

/** `name/` stands for the contents of a directory, and sorts as they do. */
function withContents(names: readonly string[], kinds: Kinds): readonly string[] {
  const contents = names.filter((name) => kinds.get(name) === 'dir').map((name) => `${name}/`);
  return contents.length === 0 ? names : sortBytewise([...names, ...contents]);
}

function isContents(key: string | undefined): boolean {
  return key?.endsWith('/') === true;
}

/** The names from there on that come before anything else, and fit. */
function namesFrom(keys: readonly string[], from: number, room: number): readonly string[] {
  let to = from;
  while (to < Math.min(from + room, keys.length) && !isContents(keys[to])) to++;
  return keys.slice(from, to);
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
