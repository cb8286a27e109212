/**
 * The fast lane of the stdio door. It answers the opening of a conversation and `tools/list` from answers recorded from
 * the SDK, runs plain calls in the engine, and hands everything else, and every doubt, to the SDK, which is not even
 * loaded before. What a client hears is the same as from the SDK alone (`--sdk-only`; test/mcp/lane-equivalence).
 */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { Engine } from '../../engine/dispatch';
import type { Steps } from '../../text/steps';
import { clientName } from '../caller';
import type { LineStdio } from '../line-stdio';
import type { Words } from '../server';
import { createCalls } from './calls';
import { createHandover, type Opening } from './handover';
import {
  cancelledId,
  claimedClient,
  claimedEra,
  type Era,
  hasNoParameters,
  type Members,
  type PlainRequest,
  plainCall,
  plainInitialize,
  plainRequest,
  type RequestId,
} from './plain';
import { recordedAnswers } from './recorded';

export interface LaneParts extends Words {
  readonly wire: LineStdio;
  readonly engine: Engine;
  readonly toolErrors: 'result' | 'rpc';
  readonly serveSdk: (transport: Transport) => Steps<void>;
  readonly onerror: (error: Error) => void;
}

/** `probed`: asked what there is, and free to choose yet. `handed`: the SDK has the conversation, for good. */
type Phase = 'opening' | 'probed' | Era | 'handed';

/** The SDK takes note of them and does nothing. */
const UNANSWERED = ['notifications/initialized', 'notifications/roots/list_changed'];

/** When a client that wants the list has asked for it. */
const LATER_MS = 200;

export function openLane(parts: LaneParts): void {
  const { wire, engine } = parts;
  const recorded = recordedAnswers(parts);
  const calls = createCalls({
    ...parts,
    write: (message) => wire.write(message),
    answer: (id, message) => wire.answer(id, message),
    stamp: recorded.stamp,
  });
  const sdk = createHandover({ ...parts, send: (message) => wire.send(message), close: () => wire.close() });
  let phase: Phase = 'opening';
  let opening: Opening | undefined;
  let client = clientName(undefined);

  wire.onerror = parts.onerror;
  wire.onend = () => sdk.hurry();
  wire.onclose = () => {
    calls.cancelAll();
    sdk.end();
  };
  wire.onmessage = (message) => {
    const request = plainRequest(message as Members);
    const isDone = request ? phase !== 'handed' && isAnswered(request) : isHeard(message as Members);
    if (!isDone) handOver(message);
  };
  void wire.start();

  function handOver(message: JSONRPCMessage): void {
    const isUndecided = phase === 'opening' || phase === 'probed';
    const isOpenedAnew = 'method' in message && message.method === 'initialize' && phase === 'legacy';
    if ('id' in message && message.id !== undefined) calls.forget(message.id);
    sdk.deliver(message, opening);
    if (isUndecided || isOpenedAnew) phase = 'handed';
  }

  function isAnswered(request: PlainRequest): boolean {
    const era = claimedEra(request.meta, recorded.modernVersions);
    if (era === undefined) return false;
    if (phase !== 'opening' && phase !== 'probed') return era === phase && isServed(request, era);
    return era === 'legacy' ? isShakenHands(request) : isModernServed(request);
  }

  /** Everything but a handshake or a question settles a conversation without handshake on the newest revision. */
  function isModernServed(request: PlainRequest): boolean {
    const isQuestion = request.method === 'server/discover';
    if (!isServed(request, 'modern')) return false;
    phase = isQuestion ? 'probed' : 'modern';
    readyLater();
    opening = { method: isQuestion ? 'server/discover' : 'tools/list', params: { _meta: request.params._meta } };
    return true;
  }

  function isShakenHands({ id, method, params }: PlainRequest): boolean {
    const handshake = method === 'initialize' ? plainInitialize(params) : undefined;
    if (!handshake) return false;
    phase = 'legacy';
    readyLater();
    opening = { method, params };
    client = clientName(handshake.client);
    return answer(id, recorded.initialize(handshake.version));
  }

  function isServed(request: PlainRequest, era: Era): boolean {
    const { id, method, params } = request;
    if (method === 'tools/call') return isCalled(request, era);
    if (!hasNoParameters(params)) return false;
    if (method === 'tools/list') return isListed(id, era);
    if (method === 'ping' && era === 'legacy') return answer(id, recorded.ping());
    return method === 'server/discover' && era === 'modern' && answer(id, recorded.discover());
  }

  /** Its next message may be a call: what that needs is made ready while the client thinks. */
  function isListed(id: RequestId, era: Era): true {
    setImmediate(isReady);
    return answer(id, recorded.list(era));
  }

  function isCalled({ id, params, meta }: PlainRequest, era: Era): boolean {
    const call = plainCall(params);
    // Only the SDK can ask the person behind the client, and say why there is no engine.
    if (!call || !isReady() || engine.registry.find(call.name)?.tool.contract.approval) return false;
    const { name, arguments: given } = call;
    const caller = era === 'legacy' ? client : clientName(claimedClient(meta));
    void calls.run({
      id,
      era,
      name,
      arguments: given,
      client: caller,
      progressToken: meta.progressToken as RequestId | undefined,
    });
    return true;
  }

  /** For clients that call without having listed: the first call should not have to wait for it. */
  function readyLater(): void {
    setTimeout(isReady, LATER_MS).unref();
  }

  /** Whether there is an engine: its folders may have gone since the start. */
  function isReady(): boolean {
    try {
      return engine.registry !== undefined;
    } catch (error) {
      parts.onerror(error as Error);
      return false;
    }
  }

  function isHeard(message: Members): boolean {
    const cancelled = cancelledId(message);
    if (cancelled !== undefined && calls.cancel(cancelled)) return true;
    if (sdk.isOpen || phase === 'opening' || phase === 'probed') return false;
    return cancelled !== undefined || (message.id === undefined && UNANSWERED.includes(String(message.method)));
  }

  function answer(id: RequestId, result: string): true {
    wire.answer(id, `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`);
    return true;
  }
}
