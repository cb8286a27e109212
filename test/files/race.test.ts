/** While another process swaps a directory for a link to the outside, no operation of the store reaches outside. */
import { describe, expect, it } from 'vitest';
import { canPin } from '../../src/services/files/anchor';
import { tenon } from '../../versus/servers/tenon';
import { swapOperations } from '../../versus/swap-operations';
import { attackStoreOperation } from '../../versus/trials/symlink-swap';

const ROUNDS = 240;

describe.skipIf(!canPin())('a directory that is swapped for a link to the outside', () => {
  for (const operation of swapOperations)
    it(`is no way out for: ${operation.label}`, async () => {
      const { rounds, escapes, done } = await attackStoreOperation(tenon, operation, ROUNDS);
      expect({ escapes, isEnough: rounds >= ROUNDS, isTried: done > 0 }).toEqual({
        escapes: 0,
        isEnough: true,
        isTried: true,
      });
    });

  it('does not keep a tree from being deleted', async () => {
    const deleting = swapOperations.filter(({ label }) => label === 'recursive delete');
    for (const operation of deleting) {
      const { rounds, done } = await attackStoreOperation(tenon, operation, ROUNDS);
      expect(done).toBe(rounds);
    }
    expect(deleting).toHaveLength(1);
  });
});
