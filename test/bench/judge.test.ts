import { expect, test } from 'vitest';
import { compare } from '../../bench/figures';
import { judge } from '../../bench/judge';
import type { Row } from '../../bench/rows';

const row: Row = {
  id: 'read',
  title: 'read',
  workload: 'w',
  ours: 'us',
  against: { name: 'them' },
  must: '≤ 0.5',
  atMost: 0.5,
};

test('a ratio is taken round by round: a slow round of the machine does not count', () => {
  const cells = { us: { rounds: [1, 100, 3] }, them: { rounds: [4, 400, 3] } };
  expect(judge(row, [{ workload: 'w', cells }])).toMatchObject({ value: 0.25, isReached: true });
});

test('a row above its bound is not reached, nor one where we failed', () => {
  const slow = { us: { rounds: [3] }, them: { rounds: [4] } };
  expect(judge(row, [{ workload: 'w', cells: slow }]).isReached).toBe(false);
  const failed = { us: { rounds: [], word: 'refused' }, them: { rounds: [4] } };
  expect(judge(row, [{ workload: 'w', cells: failed }])).toMatchObject({ value: undefined, isReached: false });
});

test('what was not measured is neither reached nor missed', () => {
  expect(judge(row, []).isReached).toBeUndefined();
});

test('worse means worse by more than half, in more than three quarters of the rounds', () => {
  const isWorse = (...rounds: number[]) => {
    const cells = { us: { rounds }, them: { rounds: rounds.map(() => 1) } };
    const judged = judge(row, [{ workload: 'w', cells }]);
    return compare([judged], { ratios: { read: 0.2 } })[0]?.isWorse;
  };
  expect([isWorse(0.1), isWorse(0.29), isWorse(0.31)]).toEqual([false, false, true]);
  expect(isWorse(0.2, 0.2, 0.9, 0.9)).toBe(false);
  expect(isWorse(0.2, 0.9, 0.9, 0.9)).toBe(true);
});
