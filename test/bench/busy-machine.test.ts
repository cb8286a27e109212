/** What the system says was taken away from a virtual machine. */
import { expect, test } from 'vitest';
import { stolenMsIn } from '../../bench/busy-machine';

test('the stolen time is the eighth figure of all processors together', () => {
  const stat =
    'cpu  840338 0 469216 1994237 23750 0 6746 21400 0 0\ncpu0 414284 0 216337 1030475 4371 0 755 10728 0 0\n';
  expect(stolenMsIn(stat)).toBe(214_000);
});

test('a system that does not say so has lost nothing', () => {
  expect(stolenMsIn('cpu  1 2 3 4\ncpu0 1 2 3 4\n')).toBe(0);
});
