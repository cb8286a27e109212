import { isAbsolute, relative, resolve } from 'node:path';

/** Editors want absolute paths; what Codex calls a path may be relative to the session's folder. */
export function absolutePath(cwd: string, path: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}

/** As a person would name it: from the session's folder on, or whole when it lies elsewhere. */
export function shownPath(cwd: string, path: string): string {
  const inside = relative(cwd, absolutePath(cwd, path));
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}
