/** What is large is done in steps: others have their turn meanwhile, and the result is the same as at once. */
import { expect, test } from 'vitest';
import { replaceSteps, replaceText } from '../../src/text/find-replace';
import { LineIndex } from '../../src/text/lines';
import { explainMismatch, explainSteps } from '../../src/text/match-help/explain-mismatch';
import { applySteps } from '../../src/text/staged-file';
import { runAtOnce, runGently, type Steps } from '../../src/text/steps';
import { diffSteps, unifiedDiff, wholeChange } from '../../src/text/unified-diff';

const source = Array.from({ length: 60_000 }, (_, at) => `const value${at} = read(${at * 7}, 'strict');`).join('\n');
const edits = Array.from({ length: 200 }, (_, at) => ({
  old_string: `value${at * 293} = `,
  new_string: `other${at} := `,
}));
const rewritten = wholeChange(source, source.replaceAll('const', 'let'));

const cases: [string, () => Steps<unknown>, () => unknown][] = [
  ['many edits', () => applySteps(source, edits), () => runAtOnce(applySteps(source, edits))],
  ['a diff', () => diffSteps('f', source, rewritten), () => unifiedDiff('f', source, rewritten)],
  [
    'a million replacements',
    () => replaceSteps('x'.repeat(1_000_000), { find: 'x', replace: 'yz', all: true }),
    () => ({ ok: true, text: 'yz'.repeat(1_000_000), replacements: 1_000_000 }),
  ],
  ['no match', () => explainSteps(source, 'value1 = reed(', 'x'), () => explainMismatch(source, 'value1 = reed(', 'x')],
];

test.each(cases)('%s', async (_, steps, atOnce) => {
  let turns = 0;
  let timer = setImmediate(function tick() {
    turns++;
    timer = setImmediate(tick);
  });
  const result = await runGently(steps());
  clearImmediate(timer);
  expect(result).toEqual(atOnce());
  expect(turns).toBeGreaterThan(0);
});

test('others have their turn after a long last step too', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('others'));
  order.push(await runGently(holdLong()));
  expect(order).toEqual(['others', 'done']);
});

test('a search that repeats itself goes on across its steps', () => {
  const wanted = `b${'a'.repeat(300_000)}`;
  const outcome = replaceText(`${'a'.repeat(400_000)}${wanted}`, { find: wanted, replace: '!' });
  expect(outcome).toMatchObject({ text: `${'a'.repeat(400_000)}!` });
});

test.each([
  ['all at once', undefined],
  ['as far as was asked', 5000],
  ['not at all', 0],
])('line ends are told across blocks, looked through before %s', (_, upTo) => {
  const text = 'ab\n'.repeat(5000);
  const index = new LineIndex(text);
  runAtOnce(index.prepare(upTo));
  for (const offset of [0, 2, 3, 2047, 2048, 2049, 6143, 6144, text.length - 1, text.length])
    expect(index.endsBefore(offset)).toBe(text.slice(0, offset).split('\n').length - 1);
});

// biome-ignore lint/correctness/useYield: one step, and a long one, is what is tried.
function* holdLong(): Steps<string> {
  for (const end = performance.now() + 30; performance.now() < end; );
  return 'done';
}
