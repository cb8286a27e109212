import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeBinary, repository } from '../harness/binary';

it('the space for young objects stays small, also after a thread was started, which makes the engine forget it', () => {
  const args = ['scripts/run.mjs', join('test', 'compose', 'grow-young-space.ts')];
  const printed = execFileSync(nodeBinary(), args, { cwd: repository, encoding: 'utf8' });
  expect(JSON.parse(printed)).toEqual({ alone: 16, afterAnotherThread: 16 });
});
