/**
 * Shows the programs that lie outside the system's own folders, such as those of version managers in the person's
 * home, read-only and with no more around them than they need:
 * - below a known manager: the manager's folder, and a link to it in the private home, where the manager looks for it;
 * - in `<prefix>/bin`: the prefix, unless that is the home, a folder of mixed contents in it, or above it;
 * - anywhere else: the program alone.
 */
import { basename, dirname, join } from 'node:path';
import { isInsideAny } from '../search-path';
import { PRIVATE_HOME } from './system-view';
import { lookAtPath, resolveLinks, type View } from './view';

/** Below a home. They hold programs and no credentials, unlike `.cargo`, `.config` or `.local`. */
const MANAGERS = [
  '.asdf',
  '.bun',
  '.cargo/bin',
  '.deno/bin',
  '.fnm',
  '.goenv',
  '.local/share/fnm',
  '.local/share/mise',
  '.local/share/pipx',
  '.local/share/pnpm',
  '.local/share/rtx',
  '.local/share/uv',
  '.nodenv',
  '.nvm',
  '.pyenv',
  '.rbenv',
  '.rustup',
  '.sdkman/candidates',
  '.volta',
  'anaconda3',
  'mambaforge',
  'miniconda3',
  'miniforge3',
];
/** What a manager's programs need besides their own folder. */
const COMPANIONS: Readonly<Record<string, string>> = { '.cargo/bin': '.rustup' };
const MIXED_FOLDERS = ['.config', '.local', '.cache', '.cargo', '.ssh', '.gnupg', 'go'];

export function showToolchains(view: View, options: { programs: readonly string[]; home: string }): void {
  const { programs } = options;
  const home = resolveLinks(options.home) ?? options.home;
  for (const program of programs) {
    const real = resolveLinks(program);
    if (real === undefined) continue;
    showFile(real);
    // The path as found matters too: shims and virtual environments tell by it what they are.
    const folder = view.shows(program) ? undefined : folderFor(program);
    if (folder !== undefined) showFolder(folder);
    else if (!view.shows(program)) view.link(program, real);
  }

  function showFile(file: string): void {
    if (view.shows(file)) return;
    const folder = folderFor(file);
    if (folder === undefined) view.readOnly(file);
    else showFolder(folder);
  }

  function folderFor(file: string): string | undefined {
    const manager = managerOf(file);
    if (manager !== undefined) return manager.folder;
    const prefix = dirname(dirname(file));
    const isPrefix = basename(dirname(file)) === 'bin' && !isHome(prefix) && !isInsideAny(home, [prefix]);
    return isPrefix && !MIXED_FOLDERS.includes(basename(prefix)) ? prefix : undefined;
  }

  function showFolder(folder: string): void {
    if (!view.shows(folder)) view.readOnly(folder);
    const manager = managerOf(`${folder}/`);
    if (manager === undefined || view.shows(join(PRIVATE_HOME, manager.name))) return;
    view.link(join(PRIVATE_HOME, manager.name), folder);
    const companion = COMPANIONS[manager.name];
    const beside = companion && join(folder.slice(0, -manager.name.length), companion);
    if (beside && lookAtPath(beside)?.isDirectory()) showFolder(beside);
  }
}

/** The manager whose folder a file is in, be it in the home of this person or of another. */
export function managerOf(file: string): { name: string; folder: string } | undefined {
  const name = MANAGERS.find((candidate) => file.includes(`/${candidate}/`));
  if (name === undefined) return undefined;
  return { name, folder: file.slice(0, file.indexOf(`/${name}/`) + 1 + name.length) };
}

function isHome(folder: string): boolean {
  return folder === '/root' || ['/home', '/Users'].includes(dirname(folder));
}
