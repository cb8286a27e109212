// Placeholder until the real one stands here; to be overwritten.
export interface MatchHelp {
  readonly reason: string;
  readonly hint: string;
}
export function explainMismatch(_content: string, _wanted: string, _replacement: string | undefined): MatchHelp {
  return { reason: 'not_there', hint: 'Nothing like it is in the file.' };
}
