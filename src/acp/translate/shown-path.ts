import { isAbsolute, relative, resolve } from 'node:path';
import { type AnnouncedCall, type Location, pathsIn } from '../seed-events';

/** Editors want absolute paths; what Codex calls a path may be relative to the session's folder. */
export function absolutePath(cwd: string, path: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}

/** As a person would name it: from the session's folder on, or whole when it lies elsewhere. */
export function shownPath(cwd: string, path: string): string {
  const inside = relative(cwd, absolutePath(cwd, path));
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

/** The places that a call of our tools names; the workspace tools take a leading `workspace/` for the folder itself. */
export function locationsOf(cwd: string, input: AnnouncedCall['input']): Location[] {
  const line = typeof input.line === 'number' ? { line: input.line } : {};
  return pathsIn(input).map((path) => ({ path: absolutePath(cwd, path.replace(/^(?:workspace\/)+/, '')), ...line }));
}
