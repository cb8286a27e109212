/**
 * Walks a path below a root and holds the directory where it ends.
 *
 * Every directory on the way is entered without following symlinks. A symlink met on the way is read, its target is
 * located inside the roots, and the walk starts anew from there; a target outside is refused, a dangling one too. So
 * what comes out is a held directory inside the roots, and a name in it that was no symlink when it was looked at.
 */
import { closeSync, constants, lstatSync, openSync, readlinkSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { Fault } from '../../contract/fault';
import type { Anchor } from './anchor';
import { type CreatedDirectories, createdDirectories } from './created-directories';
import { kindOf, READ_FLAGS } from './disk';
import { errnoOf, withFaultsSync } from './errno';
import type { Pin } from './pin';
import { followTo } from './stand-in';

export interface Root {
  /** The real path. */
  readonly path: string;
  anchor: Anchor;
  reopen(): Anchor;
}

export interface Place {
  readonly root: Root;
  /** Below the root; a last segment `.` means the directory itself, not an entry in it. */
  readonly segments: readonly string[];
}

export interface PinOptions {
  /** Whether a symlink at the end of the path is followed (inside the roots), or meant itself. */
  readonly follow: boolean;
  /** Directories that are missing on the way: created, or a fault of this kind. */
  readonly missing: 'create' | 'file_not_found' | 'parent_not_found' | 'directory_not_found';
  /** Whether what is at the end is opened for reading on arrival, where it can be. Whoever reads needs no other look. */
  readonly opens?: boolean | undefined;
}

export interface WalkOptions extends PinOptions {
  readonly shown: string;
  readonly isDirectory: boolean;
  readonly locate: (path: string) => Place | undefined;
}

const MAX_LINKS = 40;

export function walk(start: Place, options: WalkOptions): Pin {
  return (options.opens && walkToOpen(start, options)) || walkOnce(start, options, enterRoot);
}

/**
 * A file that opens proves that its root is there, so that nobody has to look at the root. What does not open, for
 * whatever reason, is walked to again with a look.
 */
function walkToOpen(start: Place, options: WalkOptions): Pin | undefined {
  try {
    const pin = walkOnce(start, options, ({ anchor }) => anchor.share());
    if (pin.opened !== undefined) return pin;
    pin.release('failed');
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
  }
  return undefined;
}

type Enter = (root: Root) => Anchor;

function walkOnce(start: Place, options: WalkOptions, enter: Enter): Pin {
  const created = createdDirectories();
  try {
    return withFaultsSync(options.shown, () => walkThroughLinks(start, options, { created, enter }));
  } catch (thrown) {
    created.settle('failed');
    throw thrown;
  }
}

interface Going {
  readonly created: CreatedDirectories;
  readonly enter: Enter;
}

function walkThroughLinks(start: Place, options: WalkOptions, going: Going): Pin {
  let place = start;
  for (let links = 0; links <= MAX_LINKS; links++) {
    const end = attempt(place, options, going);
    if ('directory' in end) return end;
    const located = options.locate(asWritten(end.link));
    if (!located) throw outside(options, 'a symbolic link in it leads outside');
    place = { root: located.root, segments: [...located.segments, ...end.link.rest] };
  }
  throw outside(options, 'its symbolic links form a loop');
}

interface LinkMet {
  readonly link: { from: string; target: string; rest: readonly string[] };
}

/** Not resolved on the text alone: `..` behind another link means something else. */
function asWritten({ from, target }: LinkMet['link']): string {
  return isAbsolute(target) ? target : from + sep + target;
}

/** One walk from the root, up to the end or to the first symlink. */
function attempt({ root, segments }: Place, options: WalkOptions, { created, enter }: Going): Pin | LinkMet {
  let directory = enter(root);
  let isHandedOver = false;
  const meet = (depth: number, target: string): LinkMet => ({
    link: { from: join(root.path, ...segments.slice(0, depth)), target, rest: segments.slice(depth + 1) },
  });
  try {
    const last = segments.length - 1;
    for (let depth = 0; depth < last; depth++) {
      const isMeant = depth === last - 1 && segments[last] === '.';
      const next = enterOrRead(directory, { name: segments[depth] as string, isMeant }, options, created);
      if (typeof next === 'string') return meet(depth, next);
      directory.close();
      directory = next;
    }
    const name = segments[last] ?? '.';
    const { target, opened } = name !== '.' && options.follow ? arriveAt(directory.near(name), options) : NOTHING;
    if (target !== undefined) return meet(last, target);
    isHandedOver = true;
    const end = name === '.' ? { directory, opened, name: '' } : { directory, opened, name };
    const place = { root, segments: name === '.' ? segments.slice(0, -1) : segments };
    return pinOf(end, place, options, created);
  } finally {
    if (!isHandedOver) directory.close();
  }
}

/** A link's target, or what was opened because it is none. */
interface Arrival {
  readonly target?: string | undefined;
  readonly opened?: number | undefined;
}

const NOTHING: Arrival = {};
/** Elsewhere an open could follow a link. */
const CAN_REFUSE_LINKS = constants.O_NOFOLLOW !== undefined;

function arriveAt(path: string, { opens }: WalkOptions): Arrival {
  if (!opens || !CAN_REFUSE_LINKS) return { target: linkTarget(path) };
  try {
    return { opened: openSync(path, READ_FLAGS) };
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    // Any other problem is met again, and told, by whoever opens it.
    return errnoOf(thrown) === 'ELOOP' ? { target: linkTarget(path) } : NOTHING;
  }
}

function pinOf(
  { directory, name, opened }: Pick<Pin, 'directory' | 'name' | 'opened'>,
  { root, segments }: Place,
  { shown, isDirectory }: WalkOptions,
  created: CreatedDirectories,
): Pin {
  return {
    directory,
    name,
    shown,
    isDirectory,
    segments,
    opened,
    real: pathBelow(root.path, segments),
    at: () => directory.at(name === '' ? undefined : name),
    near: () => directory.near(name === '' ? undefined : name),
    syncCreated: () => created.sync(),
    release(outcome) {
      if (opened !== undefined) closeSync(opened);
      directory.close();
      created.settle(outcome);
    },
  };
}

/** As `join` would have it, for names that need no tidying. */
function pathBelow(root: string, segments: readonly string[]): string {
  if (segments.length === 0) return root;
  return (root.endsWith(sep) ? root : root + sep) + segments.join(sep);
}

/** A root that was deleted and made anew while the server ran is taken up again. */
function enterRoot(root: Root): Anchor {
  if (root.anchor.isGone()) {
    const anew = root.reopen();
    followTo(anew, root.anchor);
    root.anchor.close();
    root.anchor = anew;
  }
  return root.anchor.share();
}

/** The child directory, or the target where the child is a symlink. `isMeant`: the whole path ends with this child. */
function enterOrRead(
  directory: Anchor,
  { name, isMeant }: { name: string; isMeant: boolean },
  options: WalkOptions,
  created: CreatedDirectories,
): Anchor | string {
  // To ask for what is not there costs an exception.
  if (created.isNew(directory)) return created.create(directory, name);
  try {
    return directory.enter(name);
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === 'ELOOP' || code === 'ENOTDIR') {
      const target = linkTarget(directory.at(name));
      if (target !== undefined) return target;
      throw isMeant ? notDirectory(directory.at(name), options) : missing(options);
    }
    if (code !== 'ENOENT') throw thrown;
    if (options.missing !== 'create') throw missing(options);
    return created.create(directory, name);
  }
}

/** Looked at first: to ask for the target of what is no link costs an exception. */
function linkTarget(path: string): string | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  try {
    return readlinkSync(path);
  } catch (thrown) {
    // EINVAL: it is no link any more. ENOENT: the caller finds out.
    if (errnoOf(thrown) === 'EINVAL' || errnoOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

function missing({ shown, missing: kind }: WalkOptions): Fault {
  if (kind === 'file_not_found' || kind === 'directory_not_found') return new Fault(kind, { path: shown });
  return new Fault('parent_not_found', { path: shown, parent: parentOf(shown) });
}

function notDirectory(path: string, options: WalkOptions): Fault {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (!there || options.missing !== 'directory_not_found') return missing(options);
  return new Fault('not_a_directory', { path: options.shown, found: kindOf(there) });
}

export function parentOf(shown: string): string {
  const cut = shown.replace(/[/\\]+$/, '').search(/[/\\][^/\\]*$/);
  return cut === -1 ? '.' : shown.slice(0, Math.max(cut, 1));
}

function outside({ shown }: WalkOptions, problem: string): Fault {
  return new Fault('outside_roots', { path: shown, problem });
}
