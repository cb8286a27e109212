/**
 * Runs a command in a sandbox of bubblewrap. The parts of the plan that are the same for every command are made once
 * (see fixture); the roots are looked at for each.
 * The order of the options matters: a later mount lies over an earlier one, and the roots over all that is private.
 */
import { Fault } from '../../../contract/fault';
import type { Program } from '../runner';
import { environmentInside } from './environment';
import { sandboxUnavailable } from './faults';
import { type BubblewrapOptions, FILTER_DESCRIPTOR, type Fixture } from './fixture';
import type { Guards } from './guard';
import { likenessOf } from './likeness';
import { remedyFor } from './probe-failure';
import type { EmptySandbox, Inside, Spares } from './spares';
import { lookAtPath, type Option } from './view';
import { showWorkspace } from './workspace-view';

/** Options that an old bubblewrap may lack and that can be done without. */
export const DISPENSABLE = ['--size', '--perms', '--disable-userns'];

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
    ['--json-status-fd', String(FILTER_DESCRIPTOR + fixture.view.handed.length)],
    ['--'],
  ];
  return plan.filter(([flag]) => !options.lacking.includes(flag)).flat();
}

interface ConfineOptions extends BubblewrapOptions {
  readonly fixture: Fixture;
  readonly bwrap: string;
  readonly lacking: readonly string[];
  readonly directory: string;
  readonly spares?: Spares | undefined;
}

/** Throws `protected_name` or `sandbox_unavailable` where the roots cannot be protected. */
export function confine(program: Program, options: ConfineOptions): Program {
  const { fixture, bwrap, directory, guards, spares } = options;
  const { workspace, likeness } = lookAtRoots(options);
  refuseHeld(workspace.mounts, guards, program.command);
  const env = environmentInside(program.env, fixture.variables, fixture.view);
  return {
    ...program,
    file: bwrap,
    // Its own; the command gets its own by --chdir. A way through a held descriptor would meet the ones that are handed over.
    cwd: '/',
    args: [...argumentsFor(fixture, { ...options, mounts: workspace.mounts }), program.file, ...program.args],
    env,
    confinement: {
      handed: fixture.view.handed,
      masked: fixture.masked,
      guard: () => guards.arm(workspace.guarded, { command: program.command, aside: fixture.folder?.aside }),
      ready() {
        const inside: Inside = { file: program.file, args: program.args, directory, env };
        const ready = fixture.view.shows(program.file) ? spares?.take(likeness, inside) : undefined;
        spares?.renew(() => emptySandbox(options));
        return ready;
      },
      explain: (stderr) => explain(stderr, program),
    },
  };
}

function lookAtRoots({ roots, allowlist }: BubblewrapOptions) {
  const workspace = showWorkspace(roots, { git: allowlist.names.includes('git') });
  return { workspace, likeness: likenessOf(workspace) };
}

function emptySandbox(options: ConfineOptions): EmptySandbox {
  const { fixture, bwrap } = options;
  const { workspace, likeness } = lookAtRoots(options);
  const args = argumentsFor(fixture, { ...options, directory: '/', mounts: workspace.mounts });
  return { bwrap, args, likeness, handed: fixture.view.handed, masked: fixture.masked };
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

/** A program that does nothing, to try the sandbox with. */
export function idleProgram(): readonly string[] {
  const file = ['/bin/true', '/usr/bin/true'].find((path) => lookAtPath(path) !== undefined);
  return file === undefined ? [process.execPath, '--version'] : [file];
}
