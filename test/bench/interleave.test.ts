import { expect, test } from 'vitest';
import { interleave } from '../../bench/interleave';
import { Setback } from '../../bench/results';

test('contenders take turns, in another order each round', async () => {
  const order: string[] = [];
  const contender = (name: string) => ({
    name,
    block: async (round: number) => {
      order.push(`${name}${round}`);
      return [1];
    },
  });
  await interleave([contender('a'), contender('b'), contender('c')], 3);
  expect(order).toEqual(['a0', 'b0', 'c0', 'b1', 'c1', 'a1', 'c2', 'a2', 'b2']);
});

test('a cell has the middle of each round, and the tail of all tries', async () => {
  const blocks = [
    [1, 2, 9],
    [3, 4, 5],
  ];
  const cells = await interleave([{ name: 'a', block: async (round) => blocks[round] ?? [] }], 2);
  expect(cells).toEqual({ a: { rounds: [2, 4], p50: 3, p95: 9 } });
});

test('who fails once gets a word and no time, and the others go on', async () => {
  const failing = {
    name: 'a',
    block: async (round: number) => {
      if (round === 1) throw new Setback('wrong answer');
      return [1];
    },
  };
  const cells = await interleave([failing, { name: 'b', block: async () => [2] }], 3);
  expect(cells.a).toEqual({ rounds: [], word: 'wrong answer' });
  expect(cells.b?.rounds).toEqual([2, 2, 2]);
});
