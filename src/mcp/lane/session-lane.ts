/**
 * The fast lane of an HTTP session: plain calls of quick tools, run in the engine and answered as the SDK answers them,
 * by one event. Everything else in the session is the SDK's.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Engine } from '../../engine/dispatch';
import { clientName } from '../caller';
import { createCalls, type LaneCall } from './calls';
import { cancelledId, claimedEra, isObject, plainCall, plainInitialize, plainRequest } from './plain';
import { isLegacyVersion } from './recorded';

export interface SessionLaneParts {
  readonly engine: Engine;
  readonly toolErrors: 'result' | 'rpc';
}

export interface SessionLane {
  /** The events that answer a call, none if it is cancelled; undefined where the SDK must answer. */
  events(headers: IncomingHttpHeaders, body: unknown): Promise<string> | undefined;
  /** The session has ended. */
  end(): void;
}

/** Undefined where the handshake is not plain: then the SDK has the whole session. */
export function openSessionLane(parts: SessionLaneParts, handshake: unknown): SessionLane | undefined {
  const opening = isObject(handshake) ? plainInitialize(plainRequest(handshake)?.params ?? {}) : undefined;
  if (!opening) return undefined;
  const client = clientName(opening.client);
  const calls = createCalls({ ...parts, stamp: () => ({}) });

  function callIn(body: unknown): LaneCall | undefined {
    const request = isObject(body) ? plainRequest(body) : undefined;
    if (request?.method !== 'tools/call' || claimedEra(request.meta, []) !== 'legacy') return undefined;
    const call = plainCall(request.params);
    // A call that takes its time wants signs of life meanwhile.
    if (!call || request.meta.progressToken !== undefined || !isQuick(call.name, parts.engine)) return undefined;
    return { ...call, id: request.id, era: 'legacy', client, progressToken: undefined };
  }

  return {
    events(headers, body) {
      const call = isPlainHead(headers) ? callIn(body) : undefined;
      if (call) return eventsOf((write) => calls.run(call, write));
      const cancelled = isObject(body) ? cancelledId(body) : undefined;
      if (cancelled !== undefined) calls.cancel(cancelled);
      return undefined;
    },
    end: () => calls.cancelAll(),
  };
}

async function eventsOf(run: (write: (message: string) => void) => Promise<void>): Promise<string> {
  let events = '';
  await run((message) => {
    events += `event: message\ndata: ${message}\n\n`;
  });
  return events;
}

function isQuick(tool: string, { registry }: Engine): boolean {
  const contract = registry.find(tool)?.tool.contract;
  return contract !== undefined && contract.effect !== 'run' && !contract.approval;
}

function isPlainHead(headers: IncomingHttpHeaders): boolean {
  const { accept = '', 'mcp-protocol-version': version } = headers;
  const special = Object.keys(headers).filter((name) => name.startsWith('mcp-'));
  return (
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    (version === undefined || isLegacyVersion(String(version))) &&
    special.every((name) => name === 'mcp-session-id' || name === 'mcp-protocol-version')
  );
}
