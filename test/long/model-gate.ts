/** Where a hanging step waits until it is told to go on, or until nobody listens any more. */
import type { ServerResponse } from 'node:http';

export interface Gate {
  wait(response: ServerResponse): Promise<void>;
  /** Ends when somebody waits. */
  reached(): Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  const waiting = new Set<() => void>();
  const watching: (() => void)[] = [];
  return {
    wait: (response) =>
      new Promise((resolve) => {
        const goOn = () => {
          waiting.delete(goOn);
          resolve();
        };
        waiting.add(goOn);
        response.once('close', goOn);
        for (const tell of watching.splice(0)) tell();
      }),
    reached: () => new Promise((resolve) => (waiting.size > 0 ? resolve() : void watching.push(resolve))),
    open() {
      for (const goOn of [...waiting]) goOn();
    },
  };
}
