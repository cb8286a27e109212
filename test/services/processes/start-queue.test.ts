/** Who starts when, by a clock that is moved by hand and processors whose load is told. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createStartQueue } from '../../../src/services/processes/start-queue';

const ignored = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Two may run; the third and all after it wait. */
function makeQueue({ idle = 0 } = {}) {
  const load = { idle };
  const queue = createStartQueue({ most: 2, watch: () => () => load.idle });
  const started: string[] = [];
  const enter = async (name: string, signal = ignored) => {
    const leave = await queue.enter(signal);
    started.push(name);
    return leave;
  };
  return { load, started, enter };
}

const pass = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms);
  for (let rounds = 0; rounds < 10; rounds++) await new Promise(setImmediate);
};

it('the first few start at once, the next when one has ended, in the order in which they came', async () => {
  const { started, enter } = makeQueue();
  const [leave] = await Promise.all([enter('a'), enter('b')]);
  const others = [enter('c'), enter('d')];
  await pass(1_000);
  expect(started).toEqual(['a', 'b']);
  leave?.();
  (await others[0])?.();
  await others[1];
  expect(started).toEqual(['a', 'b', 'c', 'd']);
});

it('those that only wait hold up nobody: as many start as there are processors with nothing to do', async () => {
  const { load, started, enter } = makeQueue({ idle: 0.9 });
  for (const name of 'abcdefg') void enter(name);
  await pass(1_000);
  expect(started.join('')).toBe('ab');
  load.idle = 2.5;
  await pass(100);
  expect(started.join('')).toBe('abcd');
  await pass(100);
  expect(started.join('')).toBe('abcdef');
});

it('one more starts every few seconds, whoever keeps the processors busy', async () => {
  const { started, enter } = makeQueue();
  for (const name of 'abcd') void enter(name);
  await pass(4_900);
  expect(started.join('')).toBe('ab');
  await pass(300);
  expect(started.join('')).toBe('abc');
  await pass(4_900);
  expect(started.join('')).toBe('abc');
  await pass(300);
  expect(started.join('')).toBe('abcd');
});

it('who gave up is gone from the queue, and counts for nothing', async () => {
  const { started, enter } = makeQueue();
  const [leave] = await Promise.all([enter('a'), enter('b')]);
  const controller = new AbortController();
  const gone = enter('gone', controller.signal);
  const next = enter('c');
  controller.abort();
  const leaveInVain = await gone;
  leaveInVain();
  await pass(1_000);
  expect(started).toEqual(['a', 'b', 'gone']);
  leave?.();
  await next;
  expect(started).toEqual(['a', 'b', 'gone', 'c']);
});

it('looks at the processors only while somebody waits', async () => {
  const { enter } = makeQueue();
  const [leave] = await Promise.all([enter('a'), enter('b')]);
  expect(vi.getTimerCount()).toBe(0);
  const next = enter('c');
  expect(vi.getTimerCount()).toBe(1);
  leave?.();
  await next;
  expect(vi.getTimerCount()).toBe(0);
});
