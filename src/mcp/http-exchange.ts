/** Between Node's request and response and the web-standard ones that the SDK takes and gives. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { type Refusal, refusalBody, refusalHeaders } from './http-refusal';
import type { LongAnswers } from './long-answers';
import { paced } from './paced';

/** How long a refused client may go on sending, so that it comes to read the refusal. */
const LINGER_MS = 2000;

/** The head only: the body was read before. Its signal aborts when the client goes before the answer is complete. */
export function webRequest(request: IncomingMessage, response: ServerResponse): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  const { method = 'GET', url = '/' } = request;
  const made = new Request(`http://${request.headers.host}${url}`, { method, headers, signal: gone.signal });
  // The listener also holds the request: a Request that is collected no longer passes the abort on.
  response.once('close', () => {
    if (!response.writableFinished && !made.signal.aborted) gone.abort();
  });
  return made;
}

export async function sendResponse(
  answer: Response,
  response: ServerResponse,
  longAnswers: Pick<LongAnswers, 'fill' | 'isWaitedFor'>,
): Promise<void> {
  // Whether the connection stays is between Node and the client.
  answer.headers.delete('connection');
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) return void response.end();
  // An event stream may stay silent for long; the client waits for its head.
  response.flushHeaders();
  // The client may go at any time, which cancels the stream; there is nobody left to tell.
  const given = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
  await pipeline(given, (chunks) => withLongAnswers(chunks, longAnswers), response).catch(() => {});
}

/** The SDK puts each message into a chunk of its own. */
async function* withLongAnswers(
  chunks: AsyncIterable<Uint8Array>,
  longAnswers: Pick<LongAnswers, 'fill' | 'isWaitedFor'>,
): AsyncGenerator<Uint8Array | string> {
  for await (const chunk of chunks) {
    const filled = longAnswers.isWaitedFor ? longAnswers.fill(Buffer.from(chunk).toString()) : '';
    if (typeof filled === 'string') yield chunk;
    else yield* paced(filled);
  }
}

export function sendRefusal(refusal: Refusal, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(refusal.status, refusalHeaders(refusal)).end(refusalBody(refusal));
  if (request.complete) return;
  const cut = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
  request.once('end', () => clearTimeout(cut));
  request.resume();
}
