/**
 * Drives this server and its peers through the same workloads, and writes docs/performance.md.
 *
 *   npm run bench                     everything, about a quarter of an hour
 *   npm run bench -- --quick          under two minutes: prints the ratios; fails when one is worse by half
 *   npm run bench -- --only NAME      one family, `growth`, `loop`, or a script of this folder
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cache } from '../versus/places';
import {
  COMMANDER,
  FILESYSTEM_MCP,
  OFFICIAL,
  OFFICIAL_24,
  OURS,
  OURS_24,
  OURS_FAST,
  OURS_UNBOXED,
} from './contestants';
import { saveFigures } from './figures';
import { judge } from './judge';
import { measure } from './measure';
import { checkQuickly } from './quick';
import { judgedTable } from './report/judged-table';
import { writePage } from './report/page';
import { rows } from './rows';
import { keep } from './run-store';
import { families } from './workloads/all';

const SCRIPTS = ['blocks', 'bridge', 'contract-cases', 'edit-engine', 'match-help'];
const PARTS = [...families.map(({ name }) => name), 'growth', 'loop'];
const QUICK = [OURS, OURS_FAST, OURS_UNBOXED, OURS_24, OFFICIAL, OFFICIAL_24];

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', multiple: true } },
  allowPositionals: true,
});
refuseUnknown(values.only ?? []);
const script = SCRIPTS.find((name) => values.only?.includes(name));
if (script) process.exit(runScript(script));
try {
  if (values.quick) await checkQuickly(QUICK, values.only);
  else await measureAll();
} finally {
  rmSync(join(cache, 'homes'), { recursive: true, force: true });
}

async function measureAll(): Promise<void> {
  const fresh = await measure({
    isQuick: false,
    names: [...QUICK, COMMANDER, FILESYSTEM_MCP],
    parts: values.only ?? PARTS,
  });
  const run = keep(fresh);
  const judged = rows.map((row) => judge(row, run.results));
  const date = new Date().toISOString().slice(0, 10);
  process.stdout.write(`${judgedTable(judged)}\n`);
  saveFigures(judged, date);
  writePage(judged, run, date);
}

function runScript(name: string): number {
  const args = ['scripts/run.mjs', `bench/${name}.ts`, ...positionals];
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
}

function refuseUnknown(names: readonly string[]): void {
  for (const name of names)
    if (![...PARTS, ...SCRIPTS].includes(name)) {
      process.stderr.write(`There is no ${name}; there are: ${[...PARTS, ...SCRIPTS].join(', ')}\n`);
      process.exit(2);
    }
}
