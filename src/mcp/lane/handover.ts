/**
 * The way to the SDK, which is loaded with the first message that it must judge. It is told how the conversation was
 * opened before it hears that message; what it says to that, the client has heard already. To load it takes a tenth of
 * a second: a part in each turn of the loop, so that calls that run meanwhile have theirs.
 */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { Steps } from '../../text/steps';
import { ownTurn } from '../../text/yield-to-loop';

export interface HandoverParts {
  /** Loads the SDK, and in the end lets it serve on this transport. */
  readonly serveSdk: (transport: Transport) => Steps<void>;
  readonly send: (message: JSONRPCMessage) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface Handover {
  readonly isOpen: boolean;
  /** `opening`: the request that opened the conversation, if the SDK has not heard it. */
  deliver(message: JSONRPCMessage, opening: Opening | undefined): void;
  /** Lets the SDK hear all that waits, without a pause: the client has said its last word. */
  hurry(): void;
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
  const transport: Transport = {
    start: async () => {},
    send: async (message) => ('id' in message && message.id === openingId ? undefined : send(message)),
    close,
  };
  /** What waits for the SDK, in order. */
  const waiting: JSONRPCMessage[] = [];
  let delivery: Delivery | undefined;

  function* deliverAll(opening: Opening | undefined): Steps<void> {
    yield* serveSdk(transport);
    if (opening) transport.onmessage?.({ jsonrpc: '2.0', id: openingId, ...opening });
    for (let next = waiting[0]; next; next = waiting[0]) {
      yield;
      waiting.shift();
      transport.onmessage?.(next);
    }
  }

  return {
    get isOpen() {
      return delivery !== undefined;
    },
    deliver(message, opening) {
      if (delivery?.isDone) return transport.onmessage?.(message);
      waiting.push(message);
      delivery ??= new Delivery(deliverAll(opening));
    },
    hurry: () => delivery?.finish(),
    end: () => transport.onclose?.(),
  };
}

/** Takes a step in each turn of the loop, and the rest at once where somebody cannot wait. */
class Delivery {
  isDone = false;
  readonly #steps: Steps<void>;

  constructor(steps: Steps<void>) {
    this.#steps = steps;
    void this.#goOn();
  }

  finish(): void {
    while (!this.isDone) this.#step();
  }

  async #goOn(): Promise<void> {
    while (!this.isDone) {
      await ownTurn();
      if (!this.isDone) this.#step();
    }
  }

  #step(): void {
    this.isDone = this.#steps.next().done === true;
  }
}
