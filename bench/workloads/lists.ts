/** A directory of 10,000 entries, and trees of 10,000 and 100,000 files. Tenon's answer is cut at 2,000. */
import { MAX_ENTRIES } from '../adapters';
import { COMMANDER, FILESYSTEM_MCP, OFFICIAL, OURS } from '../contestants';
import { entryName, FILES_PER_DIRECTORY } from '../stage';
import { runToolWorkload } from '../tool-workload';
import type { Family } from '../workload';

export const LIST_10K = 'list 10,000 entries';
export const TREE_10K = 'list a tree of 10,000 files';
export const TREE_100K = 'list a tree of 100,000 files';

const ENTRIES = 10_000;
const BY = [OURS, OFFICIAL, COMMANDER, FILESYSTEM_MCP];

export const lists: Family = {
  name: 'lists',
  workloads: [LIST_10K, TREE_10K, TREE_100K],
  async run(bench) {
    const flat = bench.stage.directoryOf(ENTRIES);
    const rounds = bench.scale({ full: 5, quick: 3 });
    const trees = [{ name: TREE_10K, files: 10_000 }, ...(bench.isQuick ? [] : [{ name: TREE_100K, files: 100_000 }])];
    const results = [
      await runToolWorkload(bench, {
        name: LIST_10K,
        by: BY,
        rounds,
        tries: 8,
        warmUps: 3,
        calls: (calls) => [calls.list(flat)],
        holds: ([text = '']) => text.includes(entryName(1)) && text.includes(entryName(MAX_ENTRIES)),
      }),
    ];
    for (const { name, files } of trees) {
      const tree = bench.stage.treeOf(files);
      results.push(
        await runToolWorkload(bench, {
          name,
          by: BY,
          rounds,
          tries: 3,
          warmUps: 1,
          calls: (calls) => [calls.tree(tree)],
          holds: ([text = '']) => text.includes(entryName(1)) && text.includes(entryName(FILES_PER_DIRECTORY)),
        }),
      );
    }
    return results;
  },
};
