/** Reads the body of a POST as JSON, and never more of it than a message may have. */
import type { IncomingMessage } from 'node:http';
import type { Refusal } from './http-refusal';
import { MAX_MESSAGE_BYTES } from './line-stdio';

export const MAX_BODY_BYTES = MAX_MESSAGE_BYTES;
const PARSE_ERROR = -32700;

export type Body = { readonly value: unknown } | { readonly refusal: Refusal };

export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of iterate(request)) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return { refusal: tooLarge(bytes) };
    chunks.push(chunk);
  }
  return parse(Buffer.concat(chunks, bytes));
}

export function tooLarge(bytes: number): Refusal {
  return { status: 413, message: `The body is too large: ${bytes} bytes or more; expected at most ${MAX_BODY_BYTES}` };
}

/** Leaving the loop early must not destroy the socket: the refusal still goes out on it. */
function iterate(request: IncomingMessage): AsyncIterable<Buffer> {
  return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) };
}

function parse(bytes: Buffer): Body {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    const message = 'Parse error: expected a body of one JSON-RPC message, as JSON in UTF-8';
    return { refusal: { status: 400, code: PARSE_ERROR, message } };
  }
}
