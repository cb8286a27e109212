/** The requests that wait for an answer: a client that has said its last word may still be listening. */
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

type Id = string | number;

export class OpenRequests {
  readonly #ids = new Set<Id>();
  #onNone: (() => void) | undefined;

  heard(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.#ids.add(message.id);
    else if (message.method === 'notifications/cancelled') this.answered(message.params?.requestId as Id);
  }

  said(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) this.answered(message.id);
  }

  answered(id: Id): void {
    this.#ids.delete(id);
    if (this.#ids.size === 0) this.#onNone?.();
  }

  /** Resolves when there is none, or so much later. */
  async none(withinMs: number): Promise<void> {
    if (this.#ids.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#onNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
