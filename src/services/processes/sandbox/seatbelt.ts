/**
 * macOS: the command runs under sandbox-exec with a profile. The last rule that fits wins:
 * writing is refused everywhere but in the roots and a private folder, and there for the protected names; the person's
 * home cannot be read, but for the roots and what the toolchains need; the network is refused where it is off.
 * A rule holds for names that are not there yet as well, so that no guard is needed.
 *
 * Not tried on a Mac yet.
 */
import { join } from 'node:path';
import type { Program } from '../runner';
import type { PrivateFolder } from './private-folder';
import { PROTECTED_GIT_NAMES, PROTECTED_NAMES } from './protected-names';
import { resolveLinks } from './view';

export const SANDBOX_EXEC = '/usr/bin/sandbox-exec';
const DEVICES = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/dtracehelper'];

export interface SeatbeltOptions {
  readonly roots: readonly string[];
  readonly network: 'on' | 'off';
  readonly git: boolean;
  readonly home: string;
  readonly folder: PrivateFolder;
  /** Folders in the home that programs are in. */
  readonly toolchains: readonly string[];
}

export function confineBySeatbelt(program: Program, options: SeatbeltOptions): Program {
  const { cache } = options.folder;
  return {
    ...program,
    file: SANDBOX_EXEC,
    args: ['-p', seatbeltProfile(options), program.file, ...program.args],
    env: { ...program.env, HOME: cache, TMPDIR: cache, npm_config_cache: join(cache, 'npm') },
  };
}

export function seatbeltProfile({ roots, network, git, home, folder, toolchains }: SeatbeltOptions): string {
  const real = (path: string) => resolveLinks(path) ?? path;
  const gitNames = git ? PROTECTED_GIT_NAMES.map((name) => join('.git', name)) : ['.git'];
  const guarded = roots.flatMap((root) => [...PROTECTED_NAMES, ...gitNames].map((name) => join(root, name)));
  const writable = [...roots, real(folder.cache)];
  return [
    '(version 1)',
    '(allow default)',
    `(deny file-read* ${subpath(real(home))})`,
    `(allow file-read* ${[...writable, ...toolchains].map(subpath).join(' ')})`,
    '(allow file-read-metadata)',
    '(deny file-write*)',
    `(allow file-write* ${writable.map(subpath).join(' ')} ${DEVICES.map(literal).join(' ')})`,
    `(deny file-write* ${guarded.map(subpath).join(' ')})`,
    // The git directory itself can be written in, but not moved away.
    ...(git ? [`(deny file-write-unlink ${roots.map((root) => literal(join(root, '.git'))).join(' ')})`] : []),
    '(deny process-info* (target others))',
    '(deny signal (target others))',
    '(allow signal (target same-sandbox))',
    ...(network === 'off' ? ['(deny network*)'] : ['(deny network* (remote unix-socket))']),
  ].join('\n');
}

function subpath(path: string): string {
  return `(subpath ${quote(path)})`;
}

function literal(path: string): string {
  return `(literal ${quote(path)})`;
}

function quote(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&')}"`;
}
