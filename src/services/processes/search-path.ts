/**
 * The directories in which programs are looked for, taken from the server's PATH: only absolute entries that exist and
 * that lie, links resolved, outside every root. A program that an agent can write is never started by its bare name,
 * neither by us nor by `#!/usr/bin/env` in a program that we start.
 */
import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

export interface SearchPath {
  /** Where programs are looked for, in the order of PATH, as PATH spells them. */
  readonly trusted: readonly string[];
  /** What PATH also names but a root holds: only good for saying why a program was not found. */
  readonly insideRoots: readonly string[];
}

export function readSearchPath(value: string | undefined, roots: readonly string[], delimiter: string): SearchPath {
  const trusted = new Set<string>();
  const insideRoots = new Set<string>();
  for (const entry of (value ?? '').split(delimiter)) {
    if (!isAbsolute(entry)) continue;
    const real = realPath(entry);
    if (real === undefined) continue;
    (isInsideAny(entry, roots) || isInsideAny(real, roots) ? insideRoots : trusted).add(entry);
  }
  return { trusted: [...trusted], insideRoots: [...insideRoots] };
}

/** The roots as given and as resolved: a path may be spelled either way. */
export function bothSpellings(roots: readonly string[]): string[] {
  return [...new Set(roots.flatMap((root) => [resolve(root), realPath(root) ?? resolve(root)]))];
}

export function isInsideAny(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const way = relative(root, path);
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  });
}

export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
