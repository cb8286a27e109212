/**
 * `node -e 0` through the tool, three in a row and ten, in the sandbox as shipped and without one, beside the bare
 * program.
 */
import { spawned } from '../bare-programs';
import { COMMANDER, FEW_ROUNDS, OURS, OURS_UNBOXED } from '../contestants';
import { interleave } from '../interleave';
import type { Result } from '../results';
import { SMALL_ROUNDS, type ToolWorkload, toolContenders } from '../tool-workload';
import type { Bench, Family } from '../workload';

export const RUN_NODE = 'run node -e 0';
/** More than there are sandboxes in store. */
export const RUN_IN_A_ROW = 'run node -e 0, ten in a row';
export const BARE_SPAWN = 'bare spawn';
export const BARE_BWRAP = 'bare spawn under bwrap';

/** The least that bubblewrap does: namespaces of its own, everything visible and read-only. */
const BWRAP = ['bwrap', '--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'] as const;

/** Tenon makes the sandboxes for its next commands then. */
const SETTLED_MS = 800;

export const commands: Family = {
  name: 'commands',
  workloads: [RUN_NODE, RUN_IN_A_ROW],
  async run(bench) {
    return [
      await run(bench, { name: RUN_NODE, rounds: bench.scale({ full: SMALL_ROUNDS, quick: 4 }), tries: 3 }),
      await run(bench, { name: RUN_IN_A_ROW, rounds: bench.scale({ full: 3, quick: 1 }), tries: 10 }),
    ];
  },
};

async function run(
  bench: Bench,
  { name, rounds, tries }: Pick<ToolWorkload, 'name' | 'rounds' | 'tries'>,
): Promise<Result> {
  const workload: ToolWorkload = {
    ...{ name, rounds, tries },
    by: [OURS, OURS_UNBOXED, COMMANDER],
    warmUps: 3,
    calls: ({ run }) => run && [run()],
    holds: ([text = '']) => !text.includes('exitCode') || text.includes('"exitCode":0'),
  };
  const plan = { tries, pauseMs: SETTLED_MS };
  const boxed = spawned(BARE_BWRAP, plan, ...BWRAP, 'node', '-e', '0');
  const bare = [spawned(BARE_SPAWN, plan, 'node', '-e', '0'), { ...boxed, maxRounds: FEW_ROUNDS }];
  const cells = await interleave([...toolContenders(bench, workload), ...bare], rounds, { pauseMs: SETTLED_MS });
  return { workload: name, cells };
}
