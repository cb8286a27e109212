/**
 * The fast lane of the HTTP door: a plain call of a quick tool inside a session is answered by the engine, in the very
 * form in which the SDK would. Commands, progress, questions and everything doubtful are left to the SDK. It spares a
 * call the trip through web-standard requests, responses and streams, which costs more than the call.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { Line } from '../line-writer';
import { paced } from '../paced';
import { answerTo, type CallsParts } from './calls';
import { cancelledId, claimedEra, type Members, plainCall, plainRequest, type RequestId } from './plain';
import { RunningCall } from './running-call';

/** What the lane knows of a session. */
export interface LaneSession {
  readonly id: string;
  readonly client: string;
  /** The calls of it that the lane runs. */
  readonly running: Map<RequestId, LaneExchange>;
}

export interface LaneExchange {
  readonly call: RunningCall;
  readonly response: ServerResponse;
}

export type HttpLaneParts = Pick<CallsParts, 'engine' | 'toolErrors' | 'stamp'>;

/** Whether the exchange was taken; else it is the SDK's. */
export type HttpLane = (request: IncomingMessage, response: ServerResponse, body: unknown, at: LaneSession) => boolean;

const noProgress = () => {};

export function createHttpLane(parts: HttpLaneParts): HttpLane {
  return ({ headers }, response, body, session) => {
    if (!isPlainHead(headers) || typeof body !== 'object' || body === null || Array.isArray(body)) return false;
    const message = body as Members;
    return isCancelled(message, response, session) || isCalled(message, response, session);
  };

  function isCalled(message: Members, response: ServerResponse, session: LaneSession): boolean {
    const request = message.jsonrpc === '2.0' ? plainRequest(message) : undefined;
    if (request?.method !== 'tools/call' || request.meta.progressToken !== undefined) return false;
    if (claimedEra(request.meta, []) !== 'legacy' || session.running.has(request.id)) return false;
    const call = plainCall(request.params);
    if (!call || !isQuick(call.name)) return false;
    void run({ ...call, id: request.id }, response, session);
    return true;
  }

  /** A tool that may take its time, or asks somebody, needs what only the SDK has: a stream that is open meanwhile. */
  function isQuick(tool: string): boolean {
    const contract = parts.engine.registry.find(tool)?.tool.contract;
    return contract !== undefined && contract.effect !== 'run' && contract.approval === undefined;
  }

  async function run(
    call: { id: RequestId; name: string; arguments: Members | undefined },
    response: ServerResponse,
    session: LaneSession,
  ): Promise<void> {
    const running = new RunningCall(noProgress);
    session.running.set(call.id, { call: running, response });
    response.once('close', () => {
      if (!response.writableFinished) running.cancel();
    });
    const answer = await answerTo({ ...call, era: 'legacy', client: session.client }, running, parts);
    if (session.running.get(call.id)?.call === running) session.running.delete(call.id);
    if (!running.isCancelled) await sendAnswer(response, session.id, answer.give());
  }
}

/** A cancelled call gets no answer, and its stream ends. */
function isCancelled(message: Members, response: ServerResponse, { id, running }: LaneSession): boolean {
  const requestId = message.jsonrpc === '2.0' ? cancelledId(message) : undefined;
  const exchange = requestId === undefined ? undefined : running.get(requestId);
  if (requestId === undefined || !exchange) return false;
  exchange.call.cancel();
  running.delete(requestId);
  headOf(exchange.response, id).end('');
  response.writeHead(202).end();
  return true;
}

/** The headers of an ordinary client; one that wants more, or less, is the SDK's to judge. */
function isPlainHead({ accept = '', ...headers }: IncomingHttpHeaders): boolean {
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return false;
  const version = headers['mcp-protocol-version'];
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return false;
  const own = Object.keys(headers).filter((name) => name.startsWith('mcp-'));
  return own.every((name) => name === 'mcp-session-id' || name === 'mcp-protocol-version');
}

async function sendAnswer(response: ServerResponse, sessionId: string, answer: Line): Promise<void> {
  headOf(response, sessionId);
  if (typeof answer === 'string') return void response.end(`event: message\ndata: ${answer}\n\n`);
  // A client that goes is noticed by the response.
  await pipeline(Readable.from(eventOf(answer)), response).catch(() => {});
}

async function* eventOf(slices: Iterable<string>): AsyncGenerator<string> {
  yield 'event: message\ndata: ';
  yield* paced(slices);
  yield '\n\n';
}

function headOf(response: ServerResponse, sessionId: string): ServerResponse {
  response.setHeader('content-type', 'text/event-stream');
  response.setHeader('cache-control', 'no-cache, no-transform');
  response.setHeader('x-accel-buffering', 'no');
  response.setHeader('mcp-session-id', sessionId);
  return response;
}
