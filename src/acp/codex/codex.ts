/**
 * The one Codex behind all sessions: started when first needed, and started anew when it has gone or has stopped
 * answering. Whoever loses a child is told, so that its threads can be taken up again in the next one.
 */
import type { AppServer } from './app-server';
import { CodexError, NO_ANSWER } from './connection';

export interface Codex {
  request<T>(method: string, params?: object, limitMs?: number): Promise<T>;
  /** Ends a child that no longer answers; the next request starts another. */
  replace(why: string): void;
  stop(): Promise<void>;
}

export interface CodexParts {
  readonly start: () => Promise<AppServer>;
  /** The child has gone by itself, or was replaced. */
  readonly lost: (why: string) => void;
}

export function createCodex({ start, lost }: CodexParts): Codex {
  let current: Promise<AppServer> | undefined;
  let isStopping = false;

  function open(): Promise<AppServer> {
    current ??= begin();
    return current;
  }

  function begin(): Promise<AppServer> {
    const mine = start();
    mine.then(
      (server) => server.ended.then((why) => leave(mine, why)),
      () => {
        if (current === mine) current = undefined;
      },
    );
    return mine;
  }

  /** Told once per child: the end of one that was replaced is no news. */
  function leave(child: Promise<AppServer>, why: string): void {
    if (current !== child || isStopping) return;
    current = undefined;
    lost(why);
  }

  return {
    async request<T>(method: string, params?: object, limitMs?: number) {
      const server = await open();
      try {
        return await server.request<T>(method, params, limitMs);
      } catch (thrown) {
        // A child that leaves a request without an answer is as good as dead.
        if (thrown instanceof CodexError && thrown.code === NO_ANSWER) server.kill();
        throw thrown;
      }
    },
    replace(why) {
      const old = current;
      if (!old) return;
      leave(old, why);
      void old.then(
        (server) => server.kill(),
        () => {},
      );
    },
    async stop() {
      isStopping = true;
      const server = await current?.catch(() => undefined);
      await server?.stop();
    },
  };
}
