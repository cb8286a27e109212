/**
 * Runs a command in a sandbox of bubblewrap. The parts of the plan that are the same for every command (the system, the
 * toolchains, the settings files, the filter of system calls) are made once; the roots are looked at for each.
 * The order of the options matters: a later mount lies over an earlier one, and the roots over all that is private.
 */
import { join } from 'node:path';
import { Fault } from '../../../contract/fault';
import type { Allowlist } from '../allowlist';
import type { Handed } from '../confinement';
import { inheritedDescriptors } from '../inherited-descriptors';
import type { Program } from '../runner';
import { environmentInside, networkVariables } from './environment';
import { sandboxUnavailable } from './faults';
import type { Guards } from './guard';
import { keepNameless } from './nameless-file';
import { openPrivateFolder, type PrivateFolder } from './private-folder';
import { remedyFor } from './probe-failure';
import { readSettingsFiles } from './settings-files';
import { PRIVATE_HOME, showSystem } from './system-view';
import { showToolchains } from './toolchains';
import { createView, FILTER_DESCRIPTOR, lookAtPath, type Option, type View } from './view';
import { showWorkspace } from './workspace-view';

export interface BubblewrapOptions {
  /** Real paths. */
  readonly roots: readonly string[];
  readonly network: 'on' | 'off';
  readonly allowlist: Allowlist;
  readonly server: NodeJS.ProcessEnv;
  readonly home: string;
  readonly filter: Buffer;
  readonly guards: Guards;
}

/** What all commands share. */
export interface Fixture {
  readonly view: View;
  readonly handed: readonly Handed[];
  readonly masked: readonly number[];
  readonly variables: Readonly<Record<string, string>>;
  readonly folder: PrivateFolder | undefined;
}

/** Options that an old bubblewrap may lack and that can be done without. */
export const DISPENSABLE = ['--size', '--perms', '--disable-userns'];

export async function prepareFixture(options: BubblewrapOptions): Promise<Fixture> {
  const { roots, allowlist, server, home } = options;
  const view = createView();
  showSystem(view);
  const folder = openPrivateFolder({ root: roots[0] ?? '', home, server });
  if (folder) view.add(['--bind', folder.cache, join(PRIVATE_HOME, '.cache')]);
  const programs = allowlist.names.flatMap((name) => programFile(allowlist, name) ?? []);
  showToolchains(view, { programs, home });
  const git = allowlist.names.includes('git') ? programFile(allowlist, 'git') : undefined;
  const files = await readSettingsFiles({ home, server, roots, git });
  for (const { path, bytes } of files) view.hand(path, keep(bytes));
  return {
    view,
    handed: [keep(options.filter), ...view.handed],
    masked: inheritedDescriptors(),
    // Node reads its certificates at every start; without a network that is lost time.
    variables: options.network === 'on' ? networkVariables(server, view) : {},
    folder,
  };
}

function keep(bytes: Uint8Array): Handed {
  return keepNameless(bytes) ?? bytes;
}

/** The arguments of bubblewrap in front of the program. */
export function argumentsFor(
  fixture: Fixture,
  options: { network: 'on' | 'off'; mounts: readonly Option[]; directory: string; lacking: readonly string[] },
): string[] {
  const plan: readonly Option[] = [
    ['--unshare-all'],
    ...(options.network === 'on' ? ([['--share-net']] as const) : []),
    ['--unshare-user'],
    ['--disable-userns'],
    ['--die-with-parent'],
    ['--new-session'],
    ['--hostname', 'sandbox'],
    ['--seccomp', String(FILTER_DESCRIPTOR)],
    ...fixture.view.mounts,
    ...options.mounts,
    ['--remount-ro', '/'],
    // Settings of the whole kernel lie there, and a server that runs as root would own them.
    ['--remount-ro', '/proc'],
    ['--cap-drop', 'ALL'],
    ['--chdir', options.directory],
    ['--json-status-fd', String(FILTER_DESCRIPTOR + fixture.handed.length)],
    ['--'],
  ];
  return plan.filter(([flag]) => !options.lacking.includes(flag)).flat();
}

/** Throws `protected_name` or `sandbox_unavailable` where the roots cannot be protected. */
export function confine(
  program: Program,
  options: BubblewrapOptions & { fixture: Fixture; bwrap: string; lacking: readonly string[]; directory: string },
): Program {
  const { fixture, roots, allowlist, guards } = options;
  const workspace = showWorkspace(roots, { git: allowlist.names.includes('git') });
  refuseHeld(workspace.mounts, guards, program.command);
  return {
    ...program,
    file: options.bwrap,
    // Its own; the command gets its own by --chdir. A way through a held descriptor would meet the ones that are handed over.
    cwd: '/',
    args: [...argumentsFor(fixture, { ...options, mounts: workspace.mounts }), program.file, ...program.args],
    env: environmentInside(program.env, fixture.variables, fixture.view),
    confinement: {
      handed: fixture.handed,
      masked: fixture.masked,
      guard: () => guards.arm(workspace.guarded, { command: program.command, aside: fixture.folder?.aside }),
      explain: (stderr) => explain(stderr, program),
    },
  };
}

/** What another running command has just made is not to be mounted; its guard is about to take it away. */
function refuseHeld(mounts: readonly Option[], guards: Guards, command: string): void {
  const held = mounts.map(([, path = '']) => path).find((path) => guards.isMeantAbsent(path));
  if (held === undefined) return;
  throw new Fault('protected_name', { path: held, command, fate: 'made by another command' });
}

function explain(stderr: string, { command, allowed, file }: Program): Fault {
  const problem = /^bwrap: (.*)$/m.exec(stderr)?.[1] ?? 'it ended before the command began';
  if (problem.startsWith('execvp'))
    return new Fault('command_not_installed', { command, allowed: [...allowed], problem: `${problem} (${file})` });
  return sandboxUnavailable(`bubblewrap failed: ${problem}`, remedyFor(problem));
}

function programFile(allowlist: Allowlist, name: string): string | undefined {
  try {
    return allowlist.resolve(name).file;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/** A program that does nothing, to try the sandbox with. */
export function idleProgram(): readonly string[] {
  const file = ['/bin/true', '/usr/bin/true'].find((path) => lookAtPath(path) !== undefined);
  return file === undefined ? [process.execPath, '--version'] : [file];
}
