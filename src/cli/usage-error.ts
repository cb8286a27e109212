/** Something the person asked for cannot be done: one clear line, and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** By its name: each file of the build has a class of its own. */
export function isUsageError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && thrown.name === 'UsageError';
}
