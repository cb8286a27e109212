import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { compileEarly } from '../../src/compose/v8-settings';
import type { Call } from '../../src/contract/call';

const CALL = {} as Call;
const [EARLY, BY_ITSELF] = ['--interrupt-budget=20000', '--interrupt-budget=67584'];

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

function watch(version: string) {
  const flags: string[] = [];
  const observer = compileEarly({ version, set: (flag) => void flags.push(flag) });
  const call = (count: number, everyMs: number) => {
    for (let at = 0; at < count; at++) {
      vi.advanceTimersByTime(everyMs);
      observer.began?.(CALL);
    }
  };
  return { flags, call };
}

it('compiles early while calls follow each other closely, and only then', () => {
  const { flags, call } = watch('20.20.2');
  call(100, 1);
  expect(flags).toEqual([EARLY]);
  call(1, 1_000);
  expect(flags).toEqual([EARLY, BY_ITSELF]);
  call(100, 9);
  expect(flags).toEqual([EARLY, BY_ITSELF, EARLY]);
});

it('leaves the engine alone for a few calls, and for slow ones', () => {
  const { flags, call } = watch('20.20.2');
  for (let burst = 0; burst < 10; burst++) {
    call(1, 500);
    call(10, 1);
  }
  call(100, 18);
  expect(flags).toEqual([]);
});

it('leaves other versions alone', () => {
  const { flags, call } = watch('24.21.0');
  call(100, 1);
  expect(flags).toEqual([]);
});
