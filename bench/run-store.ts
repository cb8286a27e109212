/** The results of the last full-size runs, kept so that one family can be measured again alone. Git ignores them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from '../test/harness/binary';
import type { Series } from './growth';
import type { HeavyResult } from './loop-blocks';
import type { Result } from './results';
import { families } from './workloads/all';

export interface Run {
  readonly results: readonly Result[];
  readonly series: readonly Series[];
  readonly blocks: readonly HeavyResult[];
}

/** In the order of the table. */
const workloads = families.flatMap((family) => family.workloads);
const file = join(repository, '.cache', 'bench', 'last-run.json');

/** The fresh figures, and the kept ones where there are no fresh ones. */
export function keep(fresh: Run): Run {
  const kept = load();
  const all = [...fresh.results, ...kept.results];
  const run: Run = {
    results: workloads.flatMap((name) => all.find(({ workload }) => workload === name) ?? []),
    series: fresh.series.length > 0 ? fresh.series : kept.series,
    blocks: fresh.blocks.length > 0 ? fresh.blocks : kept.blocks,
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(run, undefined, 1));
  return run;
}

function load(): Run {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Run;
  } catch {
    return { results: [], series: [], blocks: [] };
  }
}
