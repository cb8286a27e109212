import type { ServerContext } from '@modelcontextprotocol/server';
import type { CallContext } from '../contract/ports';

/** Sends `notifications/progress` where the client gave a token, and nothing otherwise. */
export function progressOf(context: ServerContext): CallContext['progress'] {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  return ({ elapsedMs, message }) => {
    const params = { progressToken, progress: Math.round(elapsedMs) / 1000, message };
    // A client that is gone needs no progress.
    context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
