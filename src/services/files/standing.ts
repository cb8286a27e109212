/**
 * Which held directory the process stands in, if it is known. Names in it need no way: a look through
 * `/proc/self/fd/<fd>/<name>` costs the system two to three times what it costs by the name alone.
 *
 * Names alone are for synchronous calls; no thread ever gets a relative path. Only `stand-in` moves the process.
 */
let place: object | undefined;

export function isStandingIn(directory: object): boolean {
  return directory === place;
}

/** Gives what was known before. */
export function noteStanding(directory: object | undefined): object | undefined {
  const before = place;
  place = directory;
  return before;
}
