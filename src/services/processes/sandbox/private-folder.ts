/**
 * The folder that the sandbox keeps for one workspace in the person's cache: the caches of the commands, so that they
 * neither use nor poison the person's own, and the entries that the guard took out of the workspace.
 */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

export interface PrivateFolder {
  /** Writable inside. */
  readonly cache: string;
  /** Not visible inside. */
  readonly aside: string;
}

const NAME_CHARACTERS = 16;

/** Undefined where there is no home to write to, or where what stands there is not ours alone. */
export function openPrivateFolder(options: {
  readonly root: string;
  readonly home: string;
  readonly server: NodeJS.ProcessEnv;
}): PrivateFolder | undefined {
  const { root, home, server } = options;
  const base = server.XDG_CACHE_HOME?.startsWith('/') ? server.XDG_CACHE_HOME : join(home, '.cache');
  const name = createHash('sha256').update(root).digest('hex').slice(0, NAME_CHARACTERS);
  const folder = join(base, 'tenon', 'sandbox', name);
  const made = { cache: join(folder, 'cache'), aside: join(folder, 'aside') };
  try {
    for (const path of Object.values(made)) mkdirSync(path, { recursive: true, mode: 0o700 });
    return [folder, made.cache, made.aside].every(isOurs) ? made : undefined;
  } catch {
    return undefined;
  }
}

function isOurs(path: string): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}
