/** What an outcome is on the wire: a result, or a JSON-RPC error. One form, whoever speaks it. */
import type { Outcome } from '../contract/call';

/** What the engine has answered; a question is not an answer yet. */
export type Settled = Exclude<Outcome, { kind: 'asking' }>;

export type Answer =
  | { readonly said: Said }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: object } };

/** A result: its body as JSON in a text, and beside it as it is where `isStructured`. */
export interface Said {
  readonly body: object;
  readonly isStructured: boolean;
  readonly isError: boolean;
}

export interface CallResult {
  readonly content: { type: 'text'; text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly [key: string]: unknown;
}

const INVALID_PARAMS = -32602;

/** `asRpcErrors`: failures of a toolset with numeric codes become JSON-RPC errors. */
export function answerOf(outcome: Settled, { asRpcErrors }: { asRpcErrors: boolean }): Answer {
  if (outcome.kind === 'unknown_tool') return { error: { code: INVALID_PARAMS, message: outcome.message } };
  if (!outcome.ok && outcome.rpc && asRpcErrors) return { error: outcome.rpc };
  const { body, bulk, ok } = outcome;
  // A bulk reader sends its text once; its failures are small and go both ways, as everyone else's.
  return { said: { body, isStructured: !bulk || !ok, isError: !ok } };
}

export function resultOf({ body, isStructured, isError }: Said): CallResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(body) }],
    ...(isStructured && { structuredContent: body as Record<string, unknown> }),
    ...(isError && { isError: true }),
  };
}
