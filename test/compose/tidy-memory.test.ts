import { expect, it } from 'vitest';
import { printedBy } from './printed-by';

it('what a long message takes is not taken for what the server needs [every.memory]', () => {
  expect(printedBy('leave-garbage.ts')).toEqual({ held: 10, needed: 10 });
});
