/** Something the person asked for cannot be done: one clear line, and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
