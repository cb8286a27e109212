/** The id under which an editor knows a call. Codex's own ids are unique within a turn only. */
export function toolCallIdOf(turnId: string, itemId: string): string {
  return `${turnId}:${itemId}`;
}
