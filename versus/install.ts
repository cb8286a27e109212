/** Fetches packages at exact versions into a folder of their own, once, without running their install scripts. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cache } from './places';

const INSTALL_LIMIT_MS = 300_000;

export interface Wanted {
  readonly folder: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
}

/** The folder `node_modules` with the wanted packages in it. */
export async function install({ folder, dependencies, overrides = {} }: Wanted): Promise<string> {
  const finished = join(cache, folder);
  const modules = join(finished, 'node_modules');
  if (existsSync(modules)) return modules;
  // An install that was interrupted must not look like a finished one. A package.json of its own: without one, npm
  // would install into the nearest folder above that has one.
  const unfinished = `${finished}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, 'package.json'), JSON.stringify({ private: true, dependencies, overrides }));
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', args, { cwd: unfinished, timeout: INSTALL_LIMIT_MS }).catch((error) => {
    throw new Error(`npm could not install ${JSON.stringify(dependencies)}: ${error.stderr ?? error.message}`);
  });
  rmSync(finished, { recursive: true, force: true });
  renameSync(unfinished, finished);
  return modules;
}

/** A newer Node.js for the peer that needs one; npm brings it as a package. */
export async function installNode24(): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const modules = await install({ folder: 'node-24.21.0', dependencies: { [name]: '24.21.0' } });
  return join(modules, name, 'bin', 'node');
}
