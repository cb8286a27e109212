/** What is large is done in steps: others have their turn meanwhile, and the result is the same as at once. */
import { expect, test } from 'vitest';
import { replaceSteps, replaceText } from '../../src/text/find-replace';
import { LineIndex, windowSteps } from '../../src/text/lines';
import { explainMismatch, explainSteps } from '../../src/text/match-help/explain-mismatch';
import { eachOccurrence } from '../../src/text/occurrences';
import { applySteps } from '../../src/text/staged-file';
import { elsewhere, runAtOnce, runGently, type Steps } from '../../src/text/steps';
import { diffParts, wholeChange } from '../../src/text/unified-diff';

const source = Array.from({ length: 60_000 }, (_, at) => `const value${at} = read(${at * 7}, 'strict');`).join('\n');
const edits = Array.from({ length: 200 }, (_, at) => ({
  old_string: `value${at * 293} = `,
  new_string: `other${at} := `,
}));
const rewritten = wholeChange(source, source.replaceAll('const', 'let'));

const cases: [string, () => Steps<unknown>, () => unknown][] = [
  ['many edits', () => applySteps(source, edits), () => runAtOnce(applySteps(source, edits))],
  ['a diff', () => diffParts('f', source, rewritten), () => runAtOnce(diffParts('f', source, rewritten))],
  [
    'a million replacements',
    function* () {
      const order = { find: 'x', replace: 'yz', all: true };
      const outcome = yield* replaceSteps('x'.repeat(1_000_000), order);
      return outcome.ok && { replacements: outcome.replacements, text: outcome.replaced.toString() };
    },
    () => ({ replacements: 1_000_000, text: 'yz'.repeat(1_000_000) }),
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

function countSteps(steps: Steps<unknown>): number {
  let count = 0;
  for (const _step of steps) count++;
  return count;
}

test.each([
  ['that has it nowhere', 'x'.repeat(4e6), 'y', 15],
  // Thirty-two million characters are compared before the search is known to be repetitive.
  ['that repeats itself', 'a'.repeat(4e6), 'a'.repeat(1e5), 150],
  ['that nearly has it everywhere', 'a'.repeat(4e6), `b${'a'.repeat(1e5)}`, 150],
])('a search in a long text %s pauses by what it has compared', (_, text, wanted, least) => {
  let [visits, most] = [0, 0];
  const steps = eachOccurrence(text, wanted, () => {
    visits++;
  });
  for (const _step of steps) {
    most = Math.max(most, visits);
    visits = 0;
  }
  expect(most).toBeLessThanOrEqual(65_536);
  expect(countSteps(eachOccurrence(text, wanted, () => {}))).toBeGreaterThanOrEqual(least);
});

test.each([
  ['to find lines with other ends', applySteps('\r\n'.repeat(1e6), [{ old_string: '\n\nq', new_string: '' }]), 15],
  ['to put in lines by the million', applySteps('q', [{ old_string: 'q', new_string: '\n'.repeat(4e6) }]), 7],
  ['to cut a window out of lines by the million', windowSteps('\n'.repeat(4e6), { line: 2e6, limit: 1e6 }), 180],
  ['to explain what is near a long text', explainSteps(source, source.replaceAll('read', 'reed'), source), 400],
])('%s takes many small steps', (_, steps, least) => {
  expect(countSteps(steps)).toBeGreaterThanOrEqual(least);
});

test('what is done elsewhere comes back, be it a failure', async () => {
  const work = function* (outcome: Promise<string>): Steps<string> {
    try {
      return yield* elsewhere(() => outcome);
    } catch (thrown) {
      return `met ${(thrown as Error).message}`;
    }
  };
  expect(await runGently(work(Promise.resolve('done')))).toBe('done');
  expect(await runGently(work(Promise.reject(new Error('trouble'))))).toBe('met trouble');
  expect(() => runAtOnce(work(Promise.resolve('done')))).not.toThrow();
  expect(runAtOnce(work(Promise.resolve('done')))).toContain('was not waited for');
});

test('works that are long share the turns of the loop, and none is left behind', async () => {
  const STEPS = 20;
  let turns = 0;
  let timer = setImmediate(function tick() {
    turns++;
    timer = setImmediate(tick);
  });
  const done = Array.from({ length: 20 }, () => 0);
  const work = function* (index: number): Steps<number> {
    for (let step = 0; step < STEPS; step++) {
      holdFor(1);
      done[index] = step + 1;
      yield;
    }
    return Math.max(...done) - Math.min(...done);
  };
  const [first = Number.NaN] = await Promise.all(done.map((_, index) => runGently(work(index))));
  clearImmediate(timer);
  // Each by itself would hold a turn for as long as all of them may together.
  expect(turns).toBeGreaterThan(STEPS);
  expect(first).toBeLessThan(STEPS);
});

function holdFor(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}
