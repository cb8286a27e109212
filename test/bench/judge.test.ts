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
  const verdict = (...rounds: number[]) => verdictBeside(1, ...rounds);
  expect([verdict(0.1), verdict(0.29), verdict(0.31)]).toEqual(['fine', 'fine', 'worse']);
  expect(verdict(0.2, 0.2, 0.9, 0.9)).toBe('fine');
  expect(verdict(0.2, 0.9, 0.9, 0.9)).toBe('worse');
});

test('a machine on which the baseline takes another time says nothing about us', () => {
  expect(verdictBeside(2, 1.8)).toBe('unlike');
  expect(verdictBeside(0.5, 0.45)).toBe('unlike');
  expect(verdictBeside(2, 0.4)).toBe('fine');
});

/** What is said of our times beside a baseline, where 0.2 of a baseline of 1 ms is committed. */
function verdictBeside(baseline: number, ...rounds: number[]): string | undefined {
  const cells = { us: { rounds }, them: { rounds: rounds.map(() => baseline), p50: baseline } };
  const judged = judge(row, [{ workload: 'w', cells }]);
  return compare([judged], { rows: { read: { ratio: 0.2, baseline: 1 } } })[0]?.verdict;
}
