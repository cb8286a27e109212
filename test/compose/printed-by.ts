import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { nodeBinary, repository } from '../harness/binary';

/** What a script of this folder prints, as JSON: whatever it does to the engine ends with its process. */
export function printedBy(script: string): unknown {
  const args = ['scripts/run.mjs', join('test', 'compose', script)];
  return JSON.parse(execFileSync(nodeBinary(), args, { cwd: repository, encoding: 'utf8' }));
}
