/**
 * What all commands of a sandbox share, made once: the system, the toolchains, the settings files and the filter of
 * system calls.
 */
import { join } from 'node:path';
import { Fault } from '../../../contract/fault';
import { ownTurn } from '../../../text/yield-to-loop';
import type { Allowlist } from '../allowlist';
import type { Handed } from '../confinement';
import { inheritedDescriptors } from '../inherited-descriptors';
import { isInsideAny } from '../search-path';
import { networkVariables } from './environment';
import type { Guards } from './guard';
import { keepNameless } from './nameless-file';
import { openPrivateFolder, type PrivateFolder } from './private-folder';
import { readSettingsFiles } from './settings-files';
import { PRIVATE_HOME, showSystem } from './system-view';
import { showToolchains } from './toolchains';
import { createView, FIRST_DESCRIPTOR, fileOf, type Option, type View } from './view';

export const FILTER_DESCRIPTOR = FIRST_DESCRIPTOR;

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

export interface Fixture {
  readonly view: View;
  readonly masked: readonly number[];
  readonly variables: Readonly<Record<string, string>>;
  readonly folder: PrivateFolder | undefined;
}

/** A part in each turn of the loop: all of it takes up to 20 ms, and may be done beside other calls. */
export async function prepareFixture(options: BubblewrapOptions): Promise<Fixture> {
  const { roots, allowlist, server, home } = options;
  const git = allowlist.names.includes('git') ? programFile(allowlist, 'git') : undefined;
  const files = await readSettingsFiles({ home, server, roots, git });
  await ownTurn();
  const view = createView([options.filter, ...files.map(({ bytes }) => bytes)].map(keep));
  showSystem(view);
  const folder = openPrivateFolder({ root: roots[0] ?? '', home, server });
  if (folder) view.add(['--bind', folder.cache, join(PRIVATE_HOME, '.cache')]);
  await ownTurn();
  const programs = allowlist.names.flatMap((name) => programFile(allowlist, name) ?? []);
  showToolchains(view, { programs, home });
  files.forEach(({ path }, index) => void view.add(...settingsFile(view, path, FILTER_DESCRIPTOR + 1 + index)));
  return {
    view,
    masked: inheritedDescriptors(),
    // Node reads its certificates at every start; without a network that is lost time.
    variables: options.network === 'on' ? networkVariables(server, view) : {},
    folder,
  };
}

/** It must stay as it is: only in the root, which is read-only as a whole, need it not be mounted for that. */
function settingsFile(view: View, path: string, descriptor: number): readonly Option[] {
  const isInRoot = !view.shows(path) && !isInsideAny(path, [PRIVATE_HOME]);
  return isInRoot ? fileOf(path, descriptor) : [['--ro-bind-data', String(descriptor), path]];
}

/** Bytes go through a pipe only where there is no better way. */
function keep(bytes: Uint8Array): Handed {
  return keepNameless(bytes) ?? bytes;
}

function programFile(allowlist: Allowlist, name: string): string | undefined {
  try {
    return allowlist.resolve(name).file;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
