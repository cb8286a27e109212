/** How full the context is, from `thread/tokenUsage/updated`. Where the size of the window is not known, nothing is said. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { fieldsOf } from '../codex/protocol/json-fields';

export function usageUpdate(params: unknown): SessionUpdate[] {
  const { last, modelContextWindow: size } = fieldsOf(fieldsOf(params).tokenUsage);
  // The last request is what is in the context; the total counts every request again.
  const used = fieldsOf(last).totalTokens;
  return isCount(used) && isCount(size) && size > 0 ? [{ sessionUpdate: 'usage_update', used, size }] : [];
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
