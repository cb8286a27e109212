/**
 * Names that make other programs run something later (configuration of editors, agents, package managers and git) are
 * not changed by the file tools either: a wall around commands would be pointless otherwise. And while a command runs
 * that must not see such a name appear, nobody makes it. Asked twice: of the path as written, before directories are
 * made on the way, and of where it really leads.
 */
import { Fault } from '../../contract/fault';
import type { JailedPath } from '../../contract/ports';
import { PROTECTED_GIT_NAMES, PROTECTED_NAMES } from '../processes/sandbox/protected-names';
import type { Jail } from './jail';
import type { Pin } from './pin';

export interface ChangeGuard {
  beforeWalk(path: JailedPath): void;
  beforeChange(pin: Pin): void;
}

export interface ChangeGuardOptions {
  readonly jail: Jail;
  /** Whether protected names are refused. */
  readonly isProtecting: boolean;
  /** Whether a change of this absolute path would end a command that runs right now. */
  readonly isWatched: (path: string) => boolean;
}

const GIT = '.git';

export function createChangeGuard({ jail, isProtecting, isWatched }: ChangeGuardOptions): ChangeGuard {
  const check = (shown: string, segments: readonly string[], real: string) => {
    const name = isProtecting ? protectedNameIn(segments) : undefined;
    if (name !== undefined) throw new Fault('protected_path', { path: shown, name });
    if (isWatched(real))
      throw new Fault('busy', { path: shown, problem: 'a command is running; try again when it ended' });
  };
  return {
    beforeWalk(path) {
      const { segments, real } = jail.written(path);
      check(path.shown, segments, real);
    },
    beforeChange: ({ shown, segments, real }) => check(shown, segments, real),
  };
}

/** The protected name that a path below a root is or lies in; file systems may ignore case. */
export function protectedNameIn(segments: readonly string[]): string | undefined {
  const names = segments.map((segment) => segment.toLowerCase());
  if (names[0] !== undefined && PROTECTED_NAMES.includes(names[0])) return names[0];
  const git = names.indexOf(GIT);
  if (git === -1) return undefined;
  const inner = names[git + 1];
  if (inner === undefined) return GIT;
  return PROTECTED_GIT_NAMES.includes(inner) ? `${GIT}/${inner}` : undefined;
}
