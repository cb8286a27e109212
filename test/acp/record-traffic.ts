/**
 * Records what the real `codex app-server` says: one file of lines for each scenario, which the fake Codex of the quick
 * tests plays. `node scripts/run.mjs test/acp/record-traffic.ts [scenario …]`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordScenario } from './record-scenario';
import { SCENARIOS } from './traffic-scenarios';

const folder = join('test', 'acp', 'traffic');
const wanted = process.argv.slice(2);

mkdirSync(folder, { recursive: true });
for (const [name, scenario] of Object.entries(SCENARIOS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const lines = await recordScenario(name, scenario);
  writeFileSync(join(folder, `${name}.jsonl`), lines.map((line) => `${line}\n`).join(''));
  process.stdout.write(`${name}: ${lines.length} lines\n`);
}
