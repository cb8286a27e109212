import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/**
 * The SDK turns -32002 into -32602 on its way out. The contracts' "permission denied" is -32002, and its code also
 * stands in `data.code`: put it back.
 */
export function restoreErrorCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message;
  const { code, data } = message.error;
  const meant = (data as { code?: unknown } | undefined)?.code;
  if (code !== -32602 || meant !== -32002) return message;
  return { ...message, error: { ...message.error, code: -32002 } };
}
