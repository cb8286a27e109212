/**
 * What a path may look like, before any disk is asked.
 *
 * A relative path is split at `/`; empty and `.` segments fall away; what the workspace may never mean (absolute
 * paths, `..`, backslashes, control characters) is a problem. After that, unless it is to be kept, `workspace` is taken
 * off the front as often as it stands there. Showing a path and parsing it again gives the same path.
 *
 * An absolute path is split into its root and segments, with `.` and `..` resolved on the text alone; `..` at the root
 * stays at the root. Links are the business of whoever opens the path.
 */
export function parseRelative(path: string, options: PathOptions = {}): RelativePath {
  const problem = relativeProblem(path);
  if (problem !== undefined) return { ok: false, problem };
  const raw = path.split('/');
  const segments = raw.filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) return { ok: false, problem: 'contains a .. segment' };
  const unusable = namesProblem(segments, options);
  if (unusable !== undefined) return { ok: false, problem: unusable };
  while (!options.keepWorkspace && segments[0] === 'workspace') segments.shift();
  if (/^[a-z]:$/i.test(segments[0] ?? '')) return { ok: false, problem: 'is absolute' };
  return { ok: true, segments, directory: endsAsDirectory(raw) || segments.length === 0 };
}

/** Whether a path is written from a root, whatever its names are. */
export function isAbsolutePath(path: string, options: PathOptions = {}): boolean {
  return rootOf(path, options) !== undefined;
}

export function parseAbsolute(path: string, options: PathOptions = {}): AbsolutePath {
  const windows = options.platform === 'win32';
  const root = rootOf(path, options);
  if (root === undefined) return { ok: false, kind: 'not_absolute', problem: 'is not absolute' };
  const malformed = absoluteProblem(path);
  if (malformed !== undefined) return { ok: false, kind: 'malformed', problem: malformed };
  const raw = path.slice(root.length).split(windows ? /[\\/]/ : '/');
  const segments = resolveDots(raw);
  const unusable = namesProblem(segments, options);
  if (unusable !== undefined) return { ok: false, kind: 'malformed', problem: unusable };
  return { ok: true, root: root.shown, segments, directory: endsAsDirectory(raw) || segments.length === 0 };
}

/** The relative path as answers show it: `a/b`, or `.` for the root itself. */
export function showRelative(segments: readonly string[]): string {
  return segments.length === 0 ? '.' : segments.join('/');
}

/**
 * The pattern that forbids a path in the repository, or undefined. Every segment counts. Names are compared as the
 * most forgiving file system would: without case, without compatibility forms (`ſecret`), without characters that
 * HFS+ ignores, without the dots and spaces that Windows drops at the end, and under the short name of `.git`.
 */
export function isBlocked(segments: readonly string[]): BlockedPattern | undefined {
  for (const segment of segments) {
    const name = segment
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .toLowerCase();
    if (name === '..') return '..';
    if (name.startsWith('.env')) return '.env*';
    if (name.includes('secret')) return '*secret*';
    if (name.includes('credential')) return '*credential*';
    if (/^(?:\.git|git~\d+)(?::.*|[. ]+)?$/.test(name)) return '.git/';
  }
  return undefined;
}

export interface PathOptions {
  /** As `process.platform` says it; only `win32` makes a difference. */
  readonly platform?: string;
  /** A leading `workspace` is a name like any other. */
  readonly keepWorkspace?: boolean;
}

/** `directory`: the path can only mean a directory, because it ends in `/` or `/.`, or is the root. */
export type RelativePath =
  | { readonly ok: true; readonly segments: string[]; readonly directory: boolean }
  | { readonly ok: false; readonly problem: string };

/** `root` is `/`, `C:\` or `\\server\share\`. */
export type AbsolutePath =
  | { readonly ok: true; readonly root: string; readonly segments: string[]; readonly directory: boolean }
  | { readonly ok: false; readonly kind: 'not_absolute' | 'malformed'; readonly problem: string };

export type BlockedPattern = '..' | '.env*' | '*secret*' | '*credential*' | '.git/';

/** No system has longer ones; nothing is done with them. */
export const MAX_PATH_CHARACTERS = 32_767;
/** The way there is walked, and where need be made, in one go. */
const MAX_NAMES = 256;

function absoluteProblem(path: string): string | undefined {
  if (path.length > MAX_PATH_CHARACTERS) return TOO_LONG;
  return path.includes('\0') ? 'contains a NUL character' : surrogateProblem(path);
}

function relativeProblem(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.length > MAX_PATH_CHARACTERS) return TOO_LONG;
  if (path.includes('\0')) return 'contains a NUL character';
  if (/\p{Cc}/u.test(path)) return 'contains a control character';
  if (/^(?:[\\/]|[a-z]:[\\/])/i.test(path)) return 'is absolute';
  if (path.includes('\\')) return 'contains a backslash';
  return surrogateProblem(path);
}

const TOO_LONG = `is longer than ${MAX_PATH_CHARACTERS} characters`;

/** Such a name cannot be written in UTF-8: the disk would be asked for another one. */
function surrogateProblem(path: string): string | undefined {
  return path.isWellFormed() ? undefined : 'contains half of a surrogate pair';
}

function endsAsDirectory(raw: readonly string[]): boolean {
  return isDotted(raw.at(-1) ?? '');
}

function resolveDots(raw: string[]): string[] {
  if (!raw.some(isDotted)) return raw;
  const segments: string[] = [];
  for (const segment of raw) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

function isDotted(segment: string): boolean {
  return segment === '' || segment === '.' || segment === '..';
}

interface Root {
  readonly length: number;
  readonly shown: string;
}

function rootOf(path: string, { platform }: PathOptions): Root | undefined {
  return platform === 'win32' ? windowsRoot(path) : posixRoot(path);
}

function posixRoot(path: string): Root | undefined {
  return path.startsWith('/') ? { length: 1, shown: '/' } : undefined;
}

/** `C:\` or `\\server\share`; never `\\?\` and `\\.\`, which step around the rules for names. */
function windowsRoot(path: string): Root | undefined {
  const drive = /^([a-z]):[\\/]/i.exec(path);
  if (drive?.[1] !== undefined) return { length: 3, shown: `${drive[1].toUpperCase()}:\\` };
  const share = /^[\\/]{2}(?![.?][\\/])([^\\/]+)[\\/]+([^\\/]+)/.exec(path);
  if (share === null) return undefined;
  return { length: share[0].length, shown: `\\\\${share[1]}\\${share[2]}\\` };
}

function namesProblem(segments: readonly string[], { platform }: PathOptions): string | undefined {
  if (segments.length > MAX_NAMES) return `has more than ${MAX_NAMES} names`;
  return platform === 'win32' ? windowsProblem(segments) : undefined;
}

const RESERVED_ON_WINDOWS = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i;

function windowsProblem(segments: readonly string[]): string | undefined {
  for (const segment of segments) {
    if (segment.includes(':')) return 'contains a colon, which Windows reads as a drive or stream';
    if (/[<>"|?*\p{Cc}]/u.test(segment)) return 'contains a character that Windows forbids in names';
    if (/[. ]$/.test(segment)) return 'has a name that ends in a dot or space, which Windows drops';
    if (RESERVED_ON_WINDOWS.test(segment)) return 'contains a device name of Windows';
  }
  return undefined;
}
