/**
 * The sessions of clients that speak a 2025 revision: each has a server and a transport of its own, so that no reply
 * can reach another client and the server can ask this client's user. A session ends by DELETE, when nothing has
 * happened in it for an hour, or when a new one needs its place.
 */
import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  type McpServerFactory,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type ClientInfo, clientName } from './caller';
import { restoreErrorCode } from './error-codes';
import { refusalResponse } from './http-refusal';
import type { LaneSession } from './lane/http-lane';

export const MAX_SESSIONS = 256;
export const IDLE_LIMIT_MS = 3_600_000;
const SWEEP_EVERY_MS = 60_000;

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly lane: () => LaneSession;
  /** Requests whose answer, or event stream, is still open. */
  open: number;
  lastUsed: number;
}

export interface SessionsOptions {
  readonly factory: McpServerFactory;
  readonly onerror: (error: Error) => void;
  readonly maxSessions?: number;
  readonly idleLimitMs?: number;
  readonly now?: () => number;
  /** Others have their turn, while all is new and takes long. */
  readonly rest?: () => Promise<void>;
}

export interface Sessions {
  /** `closed` settles when the exchange is over. */
  serve(request: Request, body: unknown, closed: Promise<unknown>): Promise<Response>;
  /** The session of that name, for a call that needs no transport; undefined when there is none. */
  join(id: string, closed: Promise<unknown>): LaneSession | undefined;
  sweep(): void;
  close(): Promise<void>;
  readonly size: number;
}

export function createSessions(options: SessionsOptions): Sessions {
  const { maxSessions = MAX_SESSIONS, idleLimitMs = IDLE_LIMIT_MS, now = Date.now } = options;
  const sessions = new Map<string, Session>();
  const idle = () => [...sessions.values()].filter(({ open }) => open === 0);
  const sweep = () => {
    for (const session of idle()) if (now() - session.lastUsed > idleLimitMs) void session.transport.close();
  };
  const sweeper = setInterval(sweep, SWEEP_EVERY_MS).unref();

  /** Makes room for one more, at the cost of the session that was silent for longest. */
  const hasRoom = () => {
    if (sessions.size < maxSessions) return true;
    const [oldest] = idle().sort((a, b) => a.lastUsed - b.lastUsed);
    void oldest?.transport.close();
    return oldest !== undefined;
  };

  const begin = async (request: Request, body: unknown, closed: Promise<unknown>) => {
    if (!hasRoom()) return noRoom(maxSessions);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        const lane = laneOf(id, () => (server as Server).getClientVersion());
        sessions.set(id, use({ transport, lane, open: 0, lastUsed: now() }, closed));
      },
    });
    transport.onclose = () => void sessions.delete(transport.sessionId ?? '');
    transport.onerror = options.onerror;
    restoreErrorCodes(transport);
    const server = await options.factory({ era: 'legacy', requestInfo: request });
    await options.rest?.();
    await server.connect(transport);
    endCancelledStreams(transport);
    await options.rest?.();
    const response = await transport.handleRequest(request, { parsedBody: body });
    if (transport.sessionId === undefined) await server.close();
    return response;
  };

  const use = (session: Session, closed: Promise<unknown>) => {
    session.open += 1;
    void closed.finally(() => {
      session.open -= 1;
      session.lastUsed = now();
    });
    return session;
  };

  return {
    async serve(request, body, closed) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return isInitializeRequest(body) ? begin(request, body, closed) : noSession();
      const session = sessions.get(id);
      return session ? use(session, closed).transport.handleRequest(request, { parsedBody: body }) : unknownSession();
    },
    join(id, closed) {
      const session = sessions.get(id);
      return session && use(session, closed).lane();
    },
    sweep,
    async close() {
      clearInterval(sweeper);
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
    },
    get size() {
      return sessions.size;
    },
  };
}

/** The client says who it is with the request that opens the session, which is not judged yet when this is made. */
function laneOf(id: string, client: () => ClientInfo | undefined): () => LaneSession {
  let lane: LaneSession | undefined;
  return () => {
    lane ??= { id, client: clientName(client()), running: new Map() };
    return lane;
  };
}

function restoreErrorCodes(transport: WebStandardStreamableHTTPServerTransport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(restoreErrorCode(message), options);
}

/** A cancelled request gets no answer: the stream that waits for it would stay open, and so would its connection. */
function endCancelledStreams(transport: WebStandardStreamableHTTPServerTransport): void {
  const deliver = transport.onmessage;
  transport.onmessage = (message, extra) => {
    deliver?.(message, extra);
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const { requestId } = (message.params ?? {}) as { requestId?: string | number };
    if (requestId !== undefined) transport.closeSSEStream(requestId);
  };
}

function noSession(): Response {
  return refusalResponse({
    status: 400,
    message: 'There is no session; expected an initialize request, or the Mcp-Session-Id header of its answer',
  });
}

function unknownSession(): Response {
  return refusalResponse({
    status: 404,
    message: 'The session is unknown or has ended; expected a new initialize request without Mcp-Session-Id',
  });
}

function noRoom(maxSessions: number): Response {
  return refusalResponse({
    status: 503,
    message: `All ${maxSessions} sessions are in use; try again when one has ended`,
    headers: { 'retry-after': '60' },
  });
}
