/** Small readings of what Codex tells about a turn. */
import type { Params } from './codex/connection';
import { fieldsOf, numberOf, textOf } from './codex/protocol/json-fields';

/** Codex's own word for why a turn failed; empty where it has none. */
export function errorInfo({ turn }: Params): string {
  return textOf(fieldsOf(fieldsOf(turn).error).codexErrorInfo);
}

/** How full the context is, for a person; empty when Codex did not say. */
export function describeUsage({ tokenUsage }: Params): string {
  const { last, modelContextWindow } = fieldsOf(tokenUsage);
  const used = numberOf(fieldsOf(last).totalTokens);
  if (used === undefined) return '';
  const size = numberOf(modelContextWindow);
  return size ? `${used} of ${size} tokens` : `${used} tokens`;
}
