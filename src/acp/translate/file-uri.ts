import { fileURLToPath, pathToFileURL } from 'node:url';

/** The absolute path that a `file:` address names, with the place in the file behind it; undefined for any other address. */
export function filePathOf(uri: string): string | undefined {
  if (!/^file:/i.test(uri)) return undefined;
  try {
    return fileURLToPath(uri) + new URL(uri).hash;
  } catch {
    // Torn, or of another machine: then the address itself is all there is.
    return undefined;
  }
}

export function fileUriOf(path: string): string {
  return pathToFileURL(path).href;
}
