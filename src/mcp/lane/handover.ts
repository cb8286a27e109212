/**
 * The way to the SDK, which is loaded with the first message that it must judge. It is told how the conversation was
 * opened before it hears that message; what it says to that, the client has heard already.
 */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

export interface HandoverParts {
  /** Loads the SDK and lets it serve on this transport. */
  readonly serveSdk: (transport: Transport) => void;
  readonly send: (message: JSONRPCMessage) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface Handover {
  readonly isOpen: boolean;
  /** `opening`: the request that opened the conversation, if the SDK has not heard it. */
  deliver(message: JSONRPCMessage, opening: Opening | undefined): void;
  /** The client is gone. */
  end(): void;
}

export interface Opening {
  readonly method: string;
  readonly params: { readonly [name: string]: unknown };
}

export function createHandover({ serveSdk, send, close }: HandoverParts): Handover {
  /** No client has an id like this. */
  const openingId = `tenon-lane-${Math.random()}`;
  let transport: Transport | undefined;

  function open(opening: Opening | undefined): Transport {
    const opened: Transport = {
      start: async () => {},
      send: async (message) => ('id' in message && message.id === openingId ? undefined : send(message)),
      close,
    };
    serveSdk(opened);
    if (opening) opened.onmessage?.({ jsonrpc: '2.0', id: openingId, ...opening });
    return opened;
  }

  return {
    get isOpen() {
      return transport !== undefined;
    },
    deliver(message, opening) {
      transport ??= open(opening);
      transport.onmessage?.(message);
    },
    end: () => transport?.onclose?.(),
  };
}
