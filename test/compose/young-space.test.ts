import { expect, it } from 'vitest';
import { printedBy } from './printed-by';

it('the space for young objects stays small, also after a thread was started, which makes the engine forget it', () => {
  expect(printedBy('grow-young-space.ts')).toEqual({ alone: 16, afterAnotherThread: 16 });
});
