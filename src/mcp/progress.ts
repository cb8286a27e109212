import type { CallContext } from '../contract/ports';

export interface ProgressNotification {
  readonly method: 'notifications/progress';
  readonly params: { readonly progressToken: string | number; readonly progress: number; readonly message: string };
}

/** Makes a `notifications/progress` of every sign of life where the client gave a token, and nothing otherwise. */
export function progressOf(
  progressToken: string | number | undefined,
  notify: (notification: ProgressNotification) => void,
): CallContext['progress'] {
  if (progressToken === undefined) return () => {};
  return ({ elapsedMs, message }) => {
    const params = { progressToken, progress: Math.round(elapsedMs) / 1000, message };
    notify({ method: 'notifications/progress', params });
  };
}
