/** What of a block is the machine's, and what is not. */
import { expect, test } from 'vitest';
import { worstBlock } from '../../bench/loop-block';

const span = (from: number, to: number, parts: { computedMs?: number; queuedMs?: number } = {}) => ({
  from,
  to,
  ...parts,
});

test('what a process that does nothing stood still at the same moment is the machine', () => {
  const found = [span(0, 100, { computedMs: 20, queuedMs: 0 })];
  expect(worstBlock(found, [span(30, 90)])).toEqual({ ms: 100, ownMs: 40, computedMs: 20, queuedMs: 0 });
  expect(worstBlock(found, [span(200, 290)]).ownMs).toBe(100);
});

test('two processors that stand still together count once', () => {
  expect(worstBlock([span(0, 100)], [span(30, 60), span(40, 70), span(80, 90)]).ownMs).toBe(50);
});

test('what was computed is never the machine’s', () => {
  expect(worstBlock([span(0, 100, { computedMs: 70, queuedMs: 0 })], [span(0, 100)]).ownMs).toBe(70);
});

test('a process that had to wait for others is no sign of the machine', () => {
  const beside = [span(0, 100, { computedMs: 1, queuedMs: 79 })];
  expect(worstBlock([span(0, 100, { computedMs: 0, queuedMs: 0 })], beside).ownMs).toBe(80);
});

test('the worst is the one that is longest without the machine', () => {
  const found = [span(0, 100), span(200, 260)];
  expect(worstBlock(found, [span(0, 90)])).toMatchObject({ ms: 60, ownMs: 60 });
  expect(worstBlock([], [])).toEqual({ ms: 0, ownMs: 0 });
});
