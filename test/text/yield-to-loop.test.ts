/** How long work shares the loop. Time is spent for real: what counts is the order in which others are heard. */
import { stat } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isTurnLong, ownTurn, yieldToLoop } from '../../src/text/yield-to-loop';

const LONGER_THAN_A_TURN_MS = 10;

function spend(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/** Where the loop hands over what came in: what is put off then has its time in the same round. */
function whenSomethingComes(work: () => void): Promise<void> {
  return new Promise((resolve) => {
    stat('.', () => {
      work();
      resolve();
    });
  });
}

test('who has held the loop for a turn when something came in goes on after others were heard', async () => {
  const order: string[] = [];
  let work: Promise<unknown> | undefined;
  await whenSomethingComes(() => {
    isTurnLong();
    spend(LONGER_THAN_A_TURN_MS);
    expect(isTurnLong()).toBe(true);
    setTimeout(() => order.push('timer'), 0);
    spend(2);
    work = yieldToLoop().then(() => order.push('work'));
  });
  await work;
  expect(order).toEqual(['timer', 'work']);
});

test('what takes long in one go has a turn that is not long yet for anybody, and is for everybody else', async () => {
  const seen: string[] = [];
  const one = ownTurn().then(() => {
    spend(1);
    seen.push(`one, others wait: ${isTurnLong()}`);
  });
  const another = yieldToLoop().then(() => seen.push('shared'));
  await Promise.all([one, another]);
  expect(seen).toContain('one, others wait: true');
});

test('others are heard between two that take long in one go', async () => {
  const order: string[] = [];
  const watch = setInterval(() => order.push('heard'), 1);
  const alone = ['first', 'second', 'third'].map((name) =>
    ownTurn().then(() => {
      spend(5);
      order.push(name);
    }),
  );
  await Promise.all(alone);
  clearInterval(watch);
  const between = order
    .join(' ')
    .replace(/(?:heard ?)+/g, '+ ')
    .trim();
  expect(between).toMatch(/first \+ second \+ third/);
});

test('who shares a turn is not kept waiting by many that want one alone', async () => {
  const order: string[] = [];
  const alone = Array.from({ length: 6 }, (_, at) => ownTurn().then(() => order.push(`alone ${at}`)));
  const shared = yieldToLoop().then(() => order.push('shared'));
  await Promise.all([...alone, shared]);
  expect(order.indexOf('shared')).toBeLessThan(3);
  expect(order.filter((name) => name !== 'shared')).toEqual(alone.map((_, at) => `alone ${at}`));
});

test('a turn ends by itself', async () => {
  isTurnLong();
  spend(LONGER_THAN_A_TURN_MS);
  await pause(20);
  expect(isTurnLong()).toBe(false);
});
