/**
 * The wall around the roots, and the only maker of a JailedPath. `admit` judges a path as it is written; `pin` walks
 * it (see `walk`) and gives a held directory inside the roots with a name in it.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Fault } from '../../contract/fault';
import type { JailedPath, Paths } from '../../contract/ports';
import type { PathRule } from '../../contract/toolset';
import { isBlocked, parseAbsolute, parseRelative, showRelative } from '../../text/path-syntax';
import { type AnchorOptions, anchorAt } from './anchor';
import type { Pin } from './pin';
import { stayIn } from './stand-in';
import { type PinOptions, type Place, type Root, walk } from './walk';

export interface Jail {
  paths(rule: PathRule): Paths;
  /** Holds the parent directory of the path. The caller closes it. */
  pin(path: JailedPath, options: PinOptions): Pin;
  /** Holds the directory at the path itself. The caller closes it. */
  pinDirectory(path: JailedPath, options?: Pick<PinOptions, 'missing'>): Pin;
  /** Directories on the way to a path, a few names apart; none on a short way. */
  stops(path: JailedPath): readonly JailedPath[];
  /** Whether `inner`, as both are written, is `outer` or lies in it. */
  contains(outer: JailedPath, inner: JailedPath): boolean;
  /** Where a path leads as it is written, links not looked at. For judging, never to open anything. */
  written(path: JailedPath): { segments: readonly string[]; real: string };
  /** Lets the process stay in the first root. */
  settle(): void;
  /** Whether directories are held by descriptor, so that no swap can lead outside. */
  readonly isRaceFree: boolean;
}

interface Admitted extends JailedPath {
  readonly place: Place;
  /** Written with a trailing slash: only a directory can be meant. */
  readonly isDirectory: boolean;
  readonly rule: PathRule;
}

const NAMES_PER_STOP = 24;

export function createJail(roots: readonly string[], options: AnchorOptions): Jail {
  const held = roots.map((given) => holdRoot(resolve(given), options));
  const [first] = held;
  if (!first) throw new Error('a jail needs at least one root');

  return {
    contains(outer, inner) {
      const [one, other] = [(outer as Admitted).place, (inner as Admitted).place];
      return one.root === other.root && one.segments.every((segment, at) => other.segments[at] === segment);
    },
    stops(path) {
      const { place, ...rest } = path as Admitted;
      const { root, segments } = place;
      return Array.from({ length: Math.floor((segments.length - 1) / NAMES_PER_STOP) }, (_, stop) =>
        brand({ ...rest, place: { root, segments: segments.slice(0, (stop + 1) * NAMES_PER_STOP) } }),
      );
    },
    written(path) {
      const { root, segments } = (path as Admitted).place;
      return { segments, real: join(root.path, ...segments) };
    },
    settle: () => stayIn(first.anchor),
    isRaceFree: options.pinned,
    paths: (rule) => ({ admit: (path) => (rule === 'absolute' ? admitAbsolute(path) : admitRelative(path, rule)) }),
    pin(path, pinOptions) {
      const { place, shown, rule, isDirectory } = path as Admitted;
      const { follow, missing, opens } = pinOptions;
      return refuseBlocked(walk(place, { shown, follow, missing, opens, locate: locateLink, isDirectory }), rule);
    },
    pinDirectory(path, { missing } = { missing: 'directory_not_found' }) {
      const { place, shown, rule } = path as Admitted;
      const whole = { root: place.root, segments: [...place.segments, '.'] };
      return refuseBlocked(walk(whole, { shown, follow: true, missing, locate: locateLink, isDirectory: true }), rule);
    },
  };

  function admitAbsolute(path: string): JailedPath {
    const parsed = parseAbsolute(path, { platform: process.platform });
    if (!parsed.ok) throw new Fault('invalid_path', { path, problem: parsed.problem });
    const place = locate(held, parsed);
    if (!place) throw new Fault('outside_roots', { path, problem: 'it is outside the roots' });
    return brand({ place, shown: path, isDirectory: parsed.directory, rule: 'absolute' });
  }

  function admitRelative(path: string, rule: PathRule): JailedPath {
    const parsed = parseRelative(path, { platform: process.platform, keepWorkspace: rule === 'repository' });
    if (!parsed.ok) throw new Fault('invalid_path', { path, problem: parsed.problem });
    const { segments, directory: isDirectory } = parsed;
    const shown = showRelative(segments);
    const pattern = rule === 'repository' ? isBlocked(segments) : undefined;
    if (pattern) throw new Fault('blocked_path', { path: shown, pattern });
    return brand({ place: { root: first as Root, segments }, shown, isDirectory, rule });
  }

  /** Where a link leads, as the system resolves it: `..` behind another link is the parent of that link's target. */
  function locateLink(path: string): Place | undefined {
    const parsed = parseAbsolute(realPathOf(path), { platform: process.platform });
    return parsed.ok ? locate(held, parsed) : undefined;
  }
}

/** A root, and how it may be spelled: by its real name, or by the one it was given with. */
interface HeldRoot extends Root {
  readonly spellings: readonly Spelling[];
}

interface Spelling {
  /** `/`, or a drive. */
  readonly root: string;
  readonly segments: readonly string[];
}

function holdRoot(given: string, options: AnchorOptions): HeldRoot {
  const path = realpathSync.native(given);
  const spellings = [path, given].map(spellingOf);
  return { path, spellings, anchor: anchorAt(path, options), reopen: () => anchorAt(path, options) };
}

function spellingOf(path: string): Spelling {
  const parsed = parseAbsolute(path, { platform: process.platform });
  if (!parsed.ok) throw new Error(`${path} ${parsed.problem}`);
  return parsed;
}

function brand(admitted: Omit<Admitted, keyof JailedPath> & { shown: string }): JailedPath {
  return admitted as unknown as JailedPath;
}

/** The root that holds an absolute path, and what is below it. */
function locate(roots: readonly HeldRoot[], path: Spelling): Place | undefined {
  for (const root of roots)
    for (const spelling of root.spellings)
      if (isBelow(spelling, path)) return { root, segments: path.segments.slice(spelling.segments.length) };
  return undefined;
}

function isBelow(root: Spelling, path: Spelling): boolean {
  return root.root === path.root && root.segments.every((segment, at) => segment === path.segments[at]);
}

/** The real path of what is there; names that are not there yet stay as they are written. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : resolve(realPathOf(parent), basename(path));
  }
}

/** A blocked name behind a harmless link is still blocked. */
function refuseBlocked(pin: Pin, rule: PathRule): Pin {
  const pattern = rule === 'repository' ? isBlocked(pin.segments) : undefined;
  if (!pattern) return pin;
  pin.release('failed');
  throw new Fault('blocked_path', { path: pin.shown, pattern });
}
