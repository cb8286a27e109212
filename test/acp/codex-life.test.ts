/** The one Codex behind all sessions: when it is started, when it is given up, and when it is left alone. */
import { afterEach, expect, it } from 'vitest';
import type { AppServer } from '../../src/acp/codex/app-server';
import { type Codex, createCodex } from '../../src/acp/codex/codex';
import { CodexError, NO_ANSWER } from '../../src/acp/codex/connection';

interface Child {
  isSilent: boolean;
  isKilled: boolean;
  looks: number;
}

const children: Child[] = [];
const losses: string[] = [];
const told = new Set<() => void>();
let isBusy = true;
let codex: Codex;

afterEach(async () => {
  await codex.stop();
  children.length = 0;
  losses.length = 0;
  isBusy = true;
});

function open(start: (signal: AbortSignal) => Promise<AppServer> = begin): void {
  const lost = (why: string) => void losses.push(why);
  codex = createCodex({ start, lost, isBusy: () => isBusy, patience: { quietMs: 5, answerMs: 5 } });
}

/** A child that answers everything with its number, or nothing. */
async function begin(): Promise<AppServer> {
  const child: Child = { isSilent: false, isKilled: false, looks: 0 };
  const number = children.push(child);
  return {
    async request<T>(method: string) {
      child.looks += 1;
      for (const look of [...told]) look();
      if (child.isSilent) throw new CodexError(NO_ANSWER, `no answer to ${method}`);
      return number as T;
    },
    ended: new Promise(() => {}),
    stop: async () => {},
    kill: () => {
      child.isKilled = true;
    },
  };
}

/** Resolves when the last child has been asked that many times. */
function asked(times: number): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if ((children.at(-1)?.looks ?? 0) < times) return;
      told.delete(look);
      resolve();
    };
    told.add(look);
    look();
  });
}

it('one that stops answering is given up, and the next request has another [bridge.lost.silent]', async () => {
  open();
  await codex.request('anything');
  Object.assign(children[0] ?? {}, { isSilent: true });
  await asked(2);
  await new Promise(setImmediate);
  expect(losses).toEqual(['Codex stopped answering']);
  expect(children[0]?.isKilled).toBe(true);
  expect(await codex.request('anything')).toBe(2);
});

it('one that only thinks for long is left alone [bridge.lost.silent]', async () => {
  open();
  await codex.request('anything');
  await asked(6);
  expect(losses).toEqual([]);
  expect(children).toHaveLength(1);
});

it('one that leaves a request without an answer is given up as well [bridge.lost.silent]', async () => {
  isBusy = false;
  open();
  await codex.request('anything');
  Object.assign(children[0] ?? {}, { isSilent: true });
  await expect(codex.request('anything')).rejects.toMatchObject({ code: NO_ANSWER });
  expect(losses).toHaveLength(1);
  expect(await codex.request('anything')).toBe(2);
});

it('one that cannot be started is tried again with the next request [bridge.lost.for-good]', async () => {
  let failures = 1;
  open(() => (failures-- > 0 ? Promise.reject(new CodexError(1, 'no')) : begin()));
  await expect(codex.request('anything')).rejects.toThrow('no');
  expect(await codex.request('anything')).toBe(1);
});

it('one that is still starting is given up when it is replaced, and at the end [bridge.end.stdin]', async () => {
  const signals: AbortSignal[] = [];
  open(
    (signal) =>
      new Promise((_, reject) => {
        signals.push(signal);
        signal.addEventListener('abort', () => reject(new CodexError(1, 'given up')));
      }),
  );
  const first = codex.request('anything');
  codex.replace('no reason');
  await expect(first).rejects.toThrow('given up');
  const second = codex.request('anything');
  await codex.stop();
  await expect(second).rejects.toThrow('given up');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});
