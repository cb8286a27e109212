import { isAbsolute } from 'node:path';

/** The path as a tool for absolute paths gets it: joined, and nothing in it resolved, since that is the tool's task. */
export function toolPath(root: string, path: string): string {
  return isAbsolute(path) ? path : `${root}/${path}`;
}
