/**
 * The sandbox of run_command: bubblewrap on Linux, sandbox-exec on macOS, none elsewhere. It is tried once, when first
 * needed. Without one, `auto` runs commands as they are and says so, `required` refuses them.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ownTurn, yieldToLoop } from '../../../text/yield-to-loop';
import type { Allowlist } from '../allowlist';
import type { Program } from '../runner';
import { bothSpellings, isInsideAny, readSearchPath } from '../search-path';
import { argumentsFor, confine, idleProgram } from './bubblewrap';
import { sandboxUnavailable } from './faults';
import { type BubblewrapOptions, prepareFixture } from './fixture';
import { createGuards, type Guards } from './guard';
import { openPrivateFolder } from './private-folder';
import { probe } from './probe';
import { NOT_INSTALLED, type Unavailable } from './probe-failure';
import { confineBySeatbelt, SANDBOX_EXEC } from './seatbelt';
import { seccompFilter } from './seccomp';
import type { Spares } from './spares';
import { managerOf } from './toolchains';
import { isExecutable, resolveLinks } from './view';

export type SandboxState =
  | { readonly state: 'bubblewrap' | 'seatbelt' }
  | { readonly state: 'none'; readonly reason: string; readonly remedy: string };

export interface Sandbox {
  /** Tries the sandbox the first time; the answer is kept. */
  describe(): Promise<SandboxState>;
  /**
   * What to run instead of the program; `directory` is the real path of its working directory. The program itself
   * where there is no sandbox. Throws `sandbox_unavailable` and `protected_name`.
   */
  wrap(program: Program, directory: string): Promise<Program>;
  /** What a person should know where commands run without the sandbox that was wanted. */
  warning(): Promise<string | undefined>;
  /** Whether a change of this path, by another tool for instance, would end a command that runs right now. */
  watches(path: string): boolean;
}

export interface SandboxOptions {
  readonly mode: 'auto' | 'required' | 'off';
  readonly network: 'on' | 'off';
  readonly roots: readonly string[];
  readonly allowlist: Allowlist;
  readonly server?: NodeJS.ProcessEnv;
  readonly home?: string;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  /** Where bubblewrap is; looked for by default. */
  readonly bwrap?: string;
  /** Where one waits that was made in advance; without it, each is made when it is needed. */
  readonly spares?: Spares;
}

type Wrap = (program: Program, directory: string) => Program;
type Opened = { readonly state: 'bubblewrap' | 'seatbelt'; readonly wrap: Wrap } | Unavailable;
type Prepared = SandboxOptions & { readonly guards: Guards };

export function createSandbox(options: SandboxOptions): Sandbox {
  let opened: Promise<Opened> | undefined;
  const guards = createGuards();
  const open = () => {
    opened ??= openSandbox({ ...options, guards });
    return opened;
  };
  return {
    async describe() {
      const result = await open();
      return 'state' in result ? { state: result.state } : { state: 'none', ...result };
    },
    async warning() {
      const result = await open();
      return 'state' in result || options.mode === 'off' ? undefined : `none: ${result.reason}. ${result.remedy}`;
    },
    async wrap(program, directory) {
      const result = await open();
      // To look at the workspace and to start a program takes up to 20 ms; of many commands, each has a turn for it.
      await yieldToLoop();
      if ('state' in result) return result.wrap(program, directory);
      if (options.mode === 'required') throw sandboxUnavailable(result.reason, result.remedy);
      return program;
    },
    watches: guards.watches,
  };
}

async function openSandbox(options: Prepared): Promise<Opened> {
  const { mode, platform = process.platform } = options;
  // The first command has just loaded much of what it needs.
  await ownTurn();
  if (mode === 'off')
    return { reason: 'The sandbox is switched off', remedy: 'Start the server with --sandbox auto or required' };
  const roots = [...new Set(options.roots.map((root) => resolveLinks(root) ?? root))];
  if (roots.includes('/'))
    return { reason: 'A root is the whole file system', remedy: 'Serve the directory of the project instead' };
  if (platform === 'linux') return openBubblewrap({ ...options, roots });
  if (platform === 'darwin') return openSeatbelt({ ...options, roots });
  return { reason: 'There is no sandbox for this system', remedy: 'Run the server on Linux, in WSL 2 for instance' };
}

async function openBubblewrap(options: Prepared): Promise<Opened> {
  const {
    network,
    roots,
    allowlist,
    guards,
    spares,
    arch = process.arch,
    server = process.env,
    home = homedir(),
  } = options;
  // First what no installation mends.
  const filter = seccompFilter({ arch, network });
  if (filter === undefined)
    return { reason: `The system calls of ${arch} are not known`, remedy: 'Run the server on x64 or arm64' };
  const bwrap = options.bwrap ?? findBubblewrap(roots, server);
  if (bwrap === undefined) return NOT_INSTALLED;
  const fixed: BubblewrapOptions = { roots, network, allowlist, server, home, filter, guards };
  const fixture = await prepareFixture(fixed);
  const mounts = roots.map((root) => ['--bind', root, root] as const);
  // To find all of that out took a while, and so does to start a program.
  await ownTurn();
  const result = await probe(bwrap, {
    handed: fixture.view.handed,
    argumentsWithout: (lacking) => [
      ...argumentsFor(fixture, { network, mounts, directory: '/', lacking }),
      ...idleProgram(),
    ],
  });
  if ('reason' in result) return result;
  return {
    state: 'bubblewrap',
    wrap: (program, directory) => confine(program, { ...fixed, ...result, fixture, bwrap, directory, spares }),
  };
}

function openSeatbelt({ network, roots, allowlist, server = process.env, home = homedir() }: SandboxOptions): Opened {
  const folder = openPrivateFolder({ root: roots[0] ?? '', home, server });
  if (!isExecutable(SANDBOX_EXEC))
    return { reason: `${SANDBOX_EXEC} is missing`, remedy: 'Run the server on a macOS that has it' };
  if (!folder) return { reason: 'There is no private folder to write to', remedy: 'Make ~/.cache writable' };
  const directories = allowlist.searchPath().split(':');
  const toolchains = directories.map((directory) => managerOf(`${directory}/`)?.folder ?? directory);
  const git = allowlist.names.includes('git');
  return {
    state: 'seatbelt',
    wrap: (program) => confineBySeatbelt(program, { roots, network, git, home, folder, toolchains }),
  };
}

/** The system's own first: on some systems only that one is allowed to make namespaces. Never one inside a root. */
function findBubblewrap(roots: readonly string[], server: NodeJS.ProcessEnv): string | undefined {
  const walls = bothSpellings(roots);
  const { trusted } = readSearchPath(server.PATH, walls, ':');
  return ['/usr/bin', ...trusted]
    .map((directory) => join(directory, 'bwrap'))
    .find((file) => isExecutable(file) && !isInsideAny(resolveLinks(file) ?? file, walls));
}
