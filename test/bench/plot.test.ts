import { expect, test } from 'vitest';
import type { Series } from '../../bench/growth';
import { decadeLabel, frameAround } from '../../bench/report/axes';
import { isLinear } from '../../bench/report/growth-table';

function series(power: number, missing: string[] = []): Series {
  const points = [1, 10, 100, 1_000].map((x) => ({ x, ms: x ** power }));
  return { panel: 'p', name: 'n', unit: 'edits', points, missing };
}

test('linear and flatter pass; steeper does not, nor what has a gap', () => {
  expect([isLinear(series(0)), isLinear(series(1)), isLinear(series(1.3))]).toEqual([true, true, false]);
  expect(isLinear(series(1, ['10,000 edits: refused']))).toBe(false);
});

test('an axis spans whole powers of ten, evenly', () => {
  const { xRange, x } = frameAround(
    [
      { x: 20, ms: 1 },
      { x: 5_000, ms: 3 },
    ],
    { width: 400, height: 300 },
  );
  expect(xRange).toEqual([10, 10_000]);
  expect(x(100) - x(10)).toBeCloseTo(x(1_000) - x(100), 0);
});

test('ticks are readable', () => {
  expect([1e3, 1e7, 1e9].map((bytes) => decadeLabel(bytes, 'bytes'))).toEqual(['1 KB', '10 MB', '1 GB']);
  expect([0.001, 0.1, 1_000].map((ms) => decadeLabel(ms, 'ms'))).toEqual(['0.001', '0.1', '1,000']);
  expect(decadeLabel(1e7, 'lines')).toBe('10 M');
});
