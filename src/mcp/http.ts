/**
 * The Streamable HTTP door: one port, one path, every revision. The guard looks at the head of a request before
 * anything else happens; a 2026 request is served on its own, a 2025 one in its session.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createMcpHandler, isLegacyRequest, type McpServerFactory } from '@modelcontextprotocol/server';
import { isTurnLong, ownTurn, yieldToLoop } from '../text/yield-to-loop';
import { MAX_BODY_BYTES, readBody } from './http-body';
import { sendRefusal, sendResponse, webRequest } from './http-exchange';
import { createGuard } from './http-guard';
import { type Refusal, refusalBody, refusalHeaders } from './http-refusal';
import { createSessions, type Sessions } from './http-sessions';
import type { HttpLane } from './lane/http-lane';
import type { LongAnswers } from './long-answers';
import { rehearseOpening } from './rehearsed-opening';

/** To receive a whole request; the answer may take as long as it needs. */
const REQUEST_TIMEOUT_MS = 120_000;
const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 5000;
const CHECK_EVERY_MS = 5000;
const MAX_HEADER_BYTES = 16_384;
const MAX_CONNECTIONS = 256;
/** Those of the first few requests. */
const COLD_RESTS = 24;

export interface HttpOptions {
  readonly factory: McpServerFactory;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly token: string;
  readonly onerror: (error: Error) => void;
  /** Answers plain calls; without it the SDK answers all. */
  readonly lane?: HttpLane | undefined;
  readonly longAnswers: LongAnswers;
}

export interface HttpDoor {
  readonly port: number;
  /** Does once, with nobody, what takes long the first time. */
  rehearse(): Promise<void>;
  /** Cancels what runs, ends the sessions and lets go of the port. */
  close(): Promise<void>;
}

/** Rejects with the system's error when it cannot listen. */
export async function openHttp(options: HttpOptions): Promise<HttpDoor> {
  const { factory, host, token, onerror, lane, longAnswers } = options;
  const rest = createRests();
  const sessions = createSessions({ factory, onerror, rest });
  const modern = createMcpHandler(factory, { legacy: 'reject', onerror, maxRequestBodySize: MAX_BODY_BYTES });
  const server = makeServer();
  const port = await listen(server, host, options.port);
  const guard = createGuard({ host, port, token });
  server.on('request', (request, response) => {
    const refusal = guard(request);
    if (refusal) return sendRefusal(refusal, request, response);
    serve(request, response, { modern, sessions, lane, longAnswers, rest }).catch((error: Error) => {
      // A client that goes in the middle of its request is no error.
      if (!response.destroyed) onerror(error);
      response.destroy();
    });
  });
  return {
    port,
    rehearse: () => rehearseOpening(factory, modern),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.all([sessions.close(), modern.close()]);
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Roads {
  readonly modern: ReturnType<typeof createMcpHandler>;
  readonly sessions: Sessions;
  readonly lane: HttpLane | undefined;
  readonly longAnswers: LongAnswers;
  readonly rest: () => Promise<void>;
}

/**
 * What is done for the first time takes long, all of it 60 ms: the first requests are served a part in each turn. Of
 * later ones, many may come and be answered together.
 */
function createRests(): () => Promise<void> {
  let cold = COLD_RESTS;
  return async () => {
    if (cold-- > 0) await ownTurn();
    else if (isTurnLong()) await yieldToLoop();
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { modern, sessions, lane, longAnswers, rest }: Roads,
): Promise<void> {
  const closed = new Promise((resolve) => response.once('close', resolve));
  const body = request.method === 'POST' ? await readBody(request) : { value: undefined };
  if ('refusal' in body) return sendRefusal(body.refusal, request, response);
  // One of many: those before it have had enough of this turn.
  if (isTurnLong()) await yieldToLoop();
  const { 'mcp-session-id': id } = request.headers;
  if (lane && request.method === 'POST' && typeof id === 'string') {
    const session = sessions.join(id, closed);
    if (session && lane(request, response, body.value, session)) return;
  }
  await rest();
  const asked = webRequest(request, response);
  await rest();
  const isLegacy = await isLegacyRequest(asked, body.value);
  await rest();
  const answer = isLegacy
    ? await sessions.serve(asked, body.value, closed)
    : await modern.fetch(asked, { parsedBody: body.value });
  await rest();
  await sendResponse(answer, response, longAnswers);
}

function makeServer(): Server {
  const server = createServer({
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The guard answers a missing Host itself, with words.
    requireHostHeader: false,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', refuseUnreadable);
  return server;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

const UNREADABLE: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: `The headers are too large; expected at most ${MAX_HEADER_BYTES} bytes`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
};
const MALFORMED: Refusal = { status: 400, message: 'The request is not well-formed HTTP/1.1' };

/** What Node's parser gives up on never becomes a request; the answer is written by hand. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const refusal = UNREADABLE[error.code ?? ''] ?? MALFORMED;
  const headers = Object.entries({ ...refusalHeaders(refusal), connection: 'close' });
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${refusalBody(refusal)}`);
}
