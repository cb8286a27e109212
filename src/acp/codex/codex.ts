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
  /** The signal ends a child that has not answered its greeting yet. */
  readonly start: (signal: AbortSignal) => Promise<AppServer>;
  /** The child has gone by itself, or was replaced. */
  readonly lost: (why: string) => void;
  /** Whether somebody waits for it; then it is looked after. */
  readonly isBusy: () => boolean;
  readonly patience?: Patience;
}

/** A model may think for minutes without a word, so silence alone is no sign of death; no answer to a question is. */
export interface Patience {
  readonly quietMs: number;
  readonly answerMs: number;
}

interface Child {
  readonly server: Promise<AppServer>;
  /** Nobody waits for its greeting any more. */
  giveUp(): void;
}

const PATIENCE: Patience = { quietMs: 20_000, answerMs: 10_000 };

export function createCodex({ start, lost, isBusy, patience = PATIENCE }: CodexParts): Codex {
  let current: Child | undefined;
  let isStopping = false;
  const watch = setInterval(() => void lookAfter(), patience.quietMs);
  watch.unref();

  async function lookAfter(): Promise<void> {
    if (!isBusy()) return;
    const server = await current?.server.catch(() => undefined);
    await server?.request('thread/loaded/list', {}, patience.answerMs).catch((thrown: unknown) => {
      if (thrown instanceof CodexError && thrown.code === NO_ANSWER) replace('Codex stopped answering');
    });
  }

  function open(): Promise<AppServer> {
    current ??= begin();
    return current.server;
  }

  function begin(): Child {
    const abort = new AbortController();
    const mine: Child = { server: start(abort.signal), giveUp: () => abort.abort() };
    mine.server.then(
      (server) => server.ended.then((why) => leave(mine, why)),
      () => {
        if (current === mine) current = undefined;
      },
    );
    return mine;
  }

  /** Told once per child: the end of one that was replaced is no news. */
  function leave(child: Child, why: string): void {
    if (current !== child || isStopping) return;
    current = undefined;
    lost(why);
  }

  function replace(why: string): void {
    const old = current;
    if (!old) return;
    leave(old, why);
    old.giveUp();
    void old.server.then(
      (server) => server.kill(),
      () => {},
    );
  }

  return {
    async request<T>(method: string, params?: object, limitMs?: number) {
      const server = await open();
      try {
        return await server.request<T>(method, params, limitMs);
      } catch (thrown) {
        // A child that leaves a request without an answer is as good as dead.
        if (thrown instanceof CodexError && thrown.code === NO_ANSWER) replace('Codex stopped answering');
        throw thrown;
      }
    },
    replace,
    async stop() {
      isStopping = true;
      clearInterval(watch);
      current?.giveUp();
      const server = await current?.server.catch(() => undefined);
      await server?.stop();
    },
  };
}
