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
  /** Whether somebody waits for it; then it is looked after. */
  readonly isBusy: () => boolean;
  readonly patience?: Patience;
}

/** A model may think for minutes without a word, so silence alone is no sign of death; no answer to a question is. */
export interface Patience {
  readonly quietMs: number;
  readonly answerMs: number;
}

const PATIENCE: Patience = { quietMs: 20_000, answerMs: 10_000 };

export function createCodex({ start, lost, isBusy, patience = PATIENCE }: CodexParts): Codex {
  let current: Promise<AppServer> | undefined;
  let isStopping = false;
  const watch = setInterval(() => void lookAfter(), patience.quietMs);
  watch.unref();

  async function lookAfter(): Promise<void> {
    if (!isBusy()) return;
    const server = await current?.catch(() => undefined);
    await server?.request('thread/loaded/list', {}, patience.answerMs).catch((thrown: unknown) => {
      if (thrown instanceof CodexError && thrown.code === NO_ANSWER) replace('Codex stopped answering');
    });
  }

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

  function replace(why: string): void {
    const old = current;
    if (!old) return;
    leave(old, why);
    void old.then(
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
      const server = await current?.catch(() => undefined);
      await server?.stop();
    },
  };
}
