// The whole gate, in the order in which a mistake is cheapest to see.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { home, prepare } from './prepare.mjs';

prepare();
const bin = (name) => join(home, 'node_modules', '.bin', name);
const steps = [
  ['format and lint', bin('biome'), ['ci', '--error-on-warnings', '.']],
  ['types', bin('tsc'), ['--noEmit']],
  ['layers', process.execPath, ['scripts/check-layers.mjs']],
  ['generated files', process.execPath, ['scripts/run.mjs', 'scripts/gen.ts', '--check']],
  ['tests', bin('vitest'), ['run', '--project', 'quick', ...process.argv.slice(2)]],
  ['requirements', process.execPath, ['scripts/run.mjs', 'scripts/check-requirements.ts']],
];
for (const [what, command, args] of steps) {
  process.stdout.write(`\n── ${what}\n`);
  const { status } = spawnSync(command, args, { cwd: home, stdio: 'inherit' });
  if (status !== 0) {
    process.stderr.write(`\nThe gate failed at: ${what}\n`);
    process.exit(status ?? 1);
  }
}
process.stdout.write('\nThe gate is open: all checks passed.\n');
