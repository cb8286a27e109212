/** Long texts are found wherever they stand among the arguments, and stay what they are. */
import { expect, it } from 'vitest';
import { cutOverlong, longTextsIn, putTogether } from '../../src/contract/long-arguments';
import type { Shape } from '../../src/contract/shape';
import { PiecedText } from '../../src/text/pieced-text';

const long = (unit: string) => Array.from({ length: 300 }, (_, at) => `${unit}${at}`.repeat(2_000)).join('');

it('finds the long texts alone, at every depth', () => {
  const [one, other] = [long('a'), long('漢')];
  expect(longTextsIn({ path: '/a', content: one })?.map(({ length }) => length)).toEqual([one.length]);
  expect(longTextsIn({ edits: [{ old_string: 'x', new_string: one }, { old_string: other }] })).toHaveLength(2);
  for (const short of [undefined, null, {}, [], { path: '/a', limit: 3, none: null, deep: [{ flag: true }] }])
    expect(longTextsIn(short)).toBe(undefined);
});

it('gives each of them a round of its own', async () => {
  const rounds: number[] = [];
  let round = 0;
  let timer = setImmediate(function tick() {
    round++;
    timer = setImmediate(tick);
  });
  const text = new (class extends String {
    override charCodeAt(at: number) {
      rounds.push(round);
      return super.charCodeAt(at);
    }
  })('text') as string;
  await putTogether([text, text]).finally(() => clearImmediate(timer));
  expect(rounds).toHaveLength(2);
  expect((rounds[1] ?? 0) - (rounds[0] ?? 0)).toBeGreaterThan(0);
  expect(round).toBeGreaterThan(rounds[1] ?? 0);
});

it('of a long text where none can be meant, the beginning is left, and which parameter it is', () => {
  const shape: Shape = {
    type: 'object',
    isClosed: false,
    members: [
      { name: 'path', type: 'text' },
      { name: 'content', type: 'text', rules: ['mayBePieced'] },
      { name: 'args', type: 'list', of: { type: 'text' } },
    ],
  };
  const head = 'head'.repeat(20_000);
  const text = new PiecedText([head, 'tail'.repeat(2_000_000)]);
  const shorter = new PiecedText(['head', 'tail']);
  expect(cutOverlong({ path: '/a', content: text, other: text }, shape)).toEqual({
    cut: { path: '/a', content: text, other: text },
  });
  expect(cutOverlong({ path: text, content: text }, shape)).toEqual({
    cut: { path: head, content: text },
    overlong: { parameter: 'path', length: 8_080_000 },
  });
  expect(cutOverlong({ args: ['a', text] }, shape)).toEqual({
    cut: { args: ['a', head] },
    overlong: { parameter: 'args[1]', length: 8_080_000 },
  });
  expect(cutOverlong({ entry: { deep: text } }, undefined)).toMatchObject({ overlong: { parameter: 'entry.deep' } });
  expect(cutOverlong({ path: shorter, args: [shorter] }, shape)).toEqual({ cut: { path: shorter, args: [shorter] } });
  expect(cutOverlong(undefined, shape)).toEqual({ cut: undefined });
});
