/** A directory of 10,000 entries, and a tree of 100,000 files. Tenon's answer is cut at 2,000. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_ENTRIES } from '../adapters';
import { listedInNode } from '../bare-programs';
import { COMMANDER, FEW_ROUNDS, FILESYSTEM_MCP, OFFICIAL, OURS } from '../contestants';
import { type Contender, interleave } from '../interleave';
import type { Result } from '../results';
import { entryName, FILES_PER_DIRECTORY, renew } from '../stage';
import { SMALL_ROUNDS, type ToolWorkload, toolContenders } from '../tool-workload';
import type { Bench, Family } from '../workload';

export const LIST_10K_CHANGED = 'list 10,000 entries, after each change';
export const LIST_10K_PAUSED = 'list 10,000 entries, after each change and a pause of 0.1 s';
export const LIST_10K_AGAIN = 'list 10,000 entries, again';
export const TREE_100K = 'list a tree of 100,000 files';
export const SMALL_TREE = 'tenon, over 10,000 files';
const IN_NODE = 'names and sizes in Node';

const BY = [OURS, OFFICIAL, COMMANDER, FILESYSTEM_MCP];
const PAUSE_MS = 100;

export const lists: Family = {
  name: 'lists',
  workloads: [LIST_10K_CHANGED, LIST_10K_PAUSED, LIST_10K_AGAIN, TREE_100K],
  async run(bench) {
    const rounds = bench.scale({ full: SMALL_ROUNDS, quick: 5 });
    const changed = await listFlat(bench, { name: LIST_10K_CHANGED, rounds, before: renew });
    const again = await listFlat(bench, { name: LIST_10K_AGAIN, rounds });
    if (bench.isQuick) return [changed, again];
    const paused = await listFlat(bench, { name: LIST_10K_PAUSED, rounds: 5, before: renewAfterPause });
    return [changed, paused, again, await listTrees(bench)];
  },
};

async function renewAfterPause(path: string): Promise<void> {
  await sleep(PAUSE_MS);
  renew(path);
}

interface Flat extends Pick<ToolWorkload, 'name' | 'rounds'> {
  before?(path: string): unknown;
}

async function listFlat(bench: Bench, { name, rounds, before }: Flat): Promise<Result> {
  const path = bench.stage.directoryOf(10_000);
  const workload: ToolWorkload = {
    name,
    by: BY,
    rounds,
    tries: 8,
    warmUps: 20,
    calls: (calls) => [calls.list(path)],
    before: () => before?.(path),
    holds: ([text = '']) => text.includes(entryName(1)) && text.includes(entryName(MAX_ENTRIES)),
  };
  // Nothing is judged by it.
  const inNode = { ...listedInNode(IN_NODE, workload.tries, path, MAX_ENTRIES), maxRounds: FEW_ROUNDS };
  const bare = name === LIST_10K_CHANGED ? [inNode] : [];
  return { workload: name, cells: await interleave([...toolContenders(bench, workload), ...bare], workload.rounds) };
}

/** Tenon lists a smaller tree in the same rounds: the answers are alike, so that the times should be. */
async function listTrees(bench: Bench): Promise<Result> {
  const large = treeWorkload(bench, 100_000, BY);
  const small = toolContenders(bench, treeWorkload(bench, 10_000, [OURS]));
  const renamed = small.map((contender): Contender => ({ ...contender, name: SMALL_TREE }));
  return { workload: large.name, cells: await interleave([...toolContenders(bench, large), ...renamed], large.rounds) };
}

function treeWorkload({ stage }: Bench, files: number, by: readonly string[]): ToolWorkload {
  const path = stage.treeOf(files);
  return {
    name: TREE_100K,
    by,
    rounds: 5,
    tries: 3,
    warmUps: 3,
    calls: (calls) => [calls.tree(path)],
    holds: ([text = '']) => text.includes(entryName(1)) && text.includes(entryName(FILES_PER_DIRECTORY)),
  };
}
