/**
 * Which programs may be started, and where they are. The name must be in the set as it stands: no path, no other case,
 * no quotes, nothing around it. It is then looked up on the server's PATH (see search-path) and what was found is kept,
 * so that a later change of the file system cannot lead the same name elsewhere.
 *
 * The path is kept as found, not resolved: shims, version managers and virtual environments decide by it what they are.
 * Windows: only `.exe` files are programs; npm and npx, which are batch files there, run as the scripts beside node.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../../contract/fault';
import { shorten } from '../../text/truncate';
import { bothSpellings, isInsideAny, readSearchPath, realPath } from './search-path';

export const DEFAULT_COMMANDS: readonly string[] = ['node', 'npm', 'npx', 'python3', 'pytest', 'tsc'];
const MAX_SHOWN_CHARACTERS = 100;

/** What to start: the file, and the arguments that come before the caller's own. */
export interface ResolvedProgram {
  readonly file: string;
  readonly prefixArgs: readonly string[];
}

export interface Allowlist {
  /** The names, sorted. */
  readonly names: readonly string[];
  /** Throws `command_not_allowed` or `command_not_installed`. */
  resolve(command: string): ResolvedProgram;
  /** The PATH that commands are given: the directories in which they were looked for. */
  searchPath(): string;
}

export interface AllowlistOptions {
  /** Nothing inside these directories is ever started by name. */
  readonly roots: readonly string[];
  /** Names besides the default ones. */
  readonly extra?: readonly string[];
  readonly path?: string | undefined;
  readonly platform?: NodeJS.Platform;
  /** The node program beside which npm lies on Windows. */
  readonly execPath?: string;
}

export function createAllowlist(options: AllowlistOptions): Allowlist {
  const { extra = [], path = process.env.PATH, platform = process.platform, execPath = process.execPath } = options;
  const allowed = new Set([...DEFAULT_COMMANDS, ...extra.map(checkName)]);
  const names = [...allowed].sort();
  const roots = bothSpellings(options.roots);
  const delimiter = platform === 'win32' ? ';' : ':';
  const directories = once(() => readSearchPath(path, roots, delimiter));
  const found = new Map<string, ResolvedProgram>();

  return {
    names,
    searchPath: () => directories().trusted.join(delimiter),
    resolve(command) {
      if (!allowed.has(command))
        throw new Fault('command_not_allowed', {
          command: shorten(command, MAX_SHOWN_CHARACTERS),
          allowed: [...names],
        });
      const program = found.get(command) ?? search(command);
      found.set(command, program);
      return program;
    },
  };

  function search(command: string): ResolvedProgram {
    if (platform === 'win32' && (command === 'npm' || command === 'npx')) return besideNode(command);
    const fileName = platform === 'win32' ? `${command}.exe` : command;
    const candidates = directories()
      .trusted.map((directory) => join(directory, fileName))
      .filter((file) => isProgram(file, platform));
    const file = candidates.find(isOutside);
    if (file !== undefined) return { file, prefixArgs: [] };
    const insideRoots = directories().insideRoots.some((directory) => isProgram(join(directory, fileName), platform));
    throw notInstalled(command, insideRoots || candidates.length > 0 ? 'found only inside the roots' : 'not on PATH');
  }

  function besideNode(command: string): ResolvedProgram {
    const script = join(dirname(execPath), 'node_modules', 'npm', 'bin', `${command}-cli.js`);
    if (!isFile(script)) throw notInstalled(command, 'not installed beside node');
    if (!isOutside(script) || !isOutside(execPath)) throw notInstalled(command, 'found only inside the roots');
    return { file: execPath, prefixArgs: [script] };
  }

  function isOutside(file: string): boolean {
    const real = realPath(file);
    return real !== undefined && !isInsideAny(real, roots);
  }

  function notInstalled(command: string, problem: string): Fault {
    return new Fault('command_not_installed', { command, allowed: [...names], problem });
  }
}

/** A name that the user adds must be a bare name, or it could never match or would defeat the search. */
function checkName(name: string): string {
  if (/^[\w+@-][\w.+@-]*$/u.test(name)) return name;
  throw new Fault('invalid_argument', {
    parameter: 'allow-command',
    problem: `not the bare name of a program: ${shorten(name, MAX_SHOWN_CHARACTERS)}`,
    expected: 'a name without path, spaces or quotes, such as git',
  });
}

function isProgram(file: string, platform: NodeJS.Platform): boolean {
  if (!isFile(file)) return false;
  if (platform === 'win32') return true;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
