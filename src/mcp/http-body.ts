/** Reads the body of a POST as JSON, and never more of it than a message may have. */
import type { IncomingMessage } from 'node:http';
import { PiecewiseUtf8 } from '../text/piecewise-utf8';
import type { Refusal } from './http-refusal';
import { IncomingJson, type JsonContent, MAX_MESSAGE_BYTES, TOO_MANY_PARTS } from './incoming-json';

export const MAX_BODY_BYTES = MAX_MESSAGE_BYTES;
const PARSE_ERROR = -32700;

export type Body = { readonly value: unknown } | { readonly refusal: Refusal };

export async function readBody(request: IncomingMessage): Promise<Body> {
  const json = new IncomingJson();
  const utf8 = new PiecewiseUtf8();
  let bytes = 0;
  for await (const chunk of iterate(request)) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return { refusal: tooLarge(bytes) };
    utf8.add(chunk);
    json.add(bytes === chunk.length ? withoutMark(chunk) : chunk);
  }
  return utf8.isValid() ? bodyOf(json.end()) : { refusal: NOT_JSON };
}

/** Some clients begin with a byte order mark, which is no JSON. */
function withoutMark(first: Buffer): Buffer {
  return first.indexOf('\ufeff') === 0 ? first.subarray(Buffer.byteLength('\ufeff')) : first;
}

function bodyOf(content: JsonContent): Body {
  if (typeof content === 'string') return { refusal: NOT_JSON };
  return 'value' in content ? content : { refusal: { status: 400, message: TOO_MANY_PARTS } };
}

const NOT_JSON: Refusal = {
  status: 400,
  code: PARSE_ERROR,
  message: 'Parse error: expected a body of one JSON-RPC message, as JSON in UTF-8',
};

export function tooLarge(bytes: number): Refusal {
  return { status: 413, message: `The body is too large: ${bytes} bytes or more; expected at most ${MAX_BODY_BYTES}` };
}

/** Leaving the loop early must not destroy the socket: the refusal still goes out on it. */
function iterate(request: IncomingMessage): AsyncIterable<Buffer> {
  return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) };
}
