/** One run: the servers made ready, the chosen parts measured, everything ended and removed. */
import { contestant } from './contestants';
import { measureGrowth } from './growth';
import { measureBlocks } from './loop-blocks';
import type { Result } from './results';
import type { Run } from './run-store';
import { createSessions } from './sessions';
import { makeStage } from './stage';
import type { Bench } from './workload';
import { families } from './workloads/all';

export interface Chosen {
  readonly isQuick: boolean;
  /** Who takes part. */
  readonly names: readonly string[];
  readonly parts: readonly string[];
}

export async function measure({ isQuick, names, parts }: Chosen): Promise<Run> {
  const ready = await prepareAll(names);
  const stage = makeStage();
  const sessions = createSessions(stage.root);
  const bench: Bench = {
    isQuick,
    stage,
    sessions,
    among: (wanted) => wanted.filter((name) => ready.includes(name)),
    scale: ({ full, quick }) => (isQuick ? quick : full),
  };
  try {
    const results: Result[] = [];
    for (const family of families.filter(({ name }) => parts.includes(name)))
      results.push(...(await told(family.name, () => family.run(bench))));
    await sessions.close();
    return {
      results,
      series: parts.includes('growth') ? await told('growth', () => measureGrowth(stage)) : [],
      blocks: parts.includes('loop') ? await told('loop', () => measureBlocks(stage)) : [],
    };
  } finally {
    await sessions.close();
    stage.remove();
  }
}

/** Who cannot be fetched is missing from the table; the others run. */
async function prepareAll(names: readonly string[]): Promise<string[]> {
  const ready: string[] = [];
  for (const name of names) {
    try {
      await contestant(name).prepare();
      ready.push(name);
    } catch (error) {
      process.stderr.write(`${name} cannot take part: ${error instanceof Error ? error.message : error}\n`);
    }
  }
  return ready;
}

/** A part that breaks must not cost the parts before and after it: it has no figures, and the run fails at its end. */
async function told<T>(name: string, work: () => Promise<T[]>): Promise<T[]> {
  const started = performance.now();
  process.stderr.write(`${name} … `);
  try {
    return await work();
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    return [];
  } finally {
    process.stderr.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  }
}
