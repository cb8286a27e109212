import type { ToolResult } from '../versus/server';
import type { Reply } from './wire';

interface Message {
  readonly result?: ToolResult;
  readonly error?: { readonly message: string };
}

/** Parses an answer, after the clock has stopped. A JSON-RPC error is thrown. */
export function answerOf({ line }: Pick<Reply, 'line'>): ToolResult {
  const { result, error } = JSON.parse(line.toString()) as Message;
  if (error !== undefined || result === undefined) throw new Error(error?.message ?? 'an answer without a result');
  return result;
}
