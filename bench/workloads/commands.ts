/** `node -e 0` through the tool, in the sandbox as shipped and without one, beside the bare program. */
import { spawned } from '../bare-programs';
import { COMMANDER, OURS, OURS_UNBOXED } from '../contestants';
import { interleave } from '../interleave';
import { type ToolWorkload, toolContenders } from '../tool-workload';
import type { Family } from '../workload';

export const RUN_NODE = 'run node -e 0';
export const BARE_SPAWN = 'bare spawn';
export const BARE_BWRAP = 'bare spawn under bwrap';

/** The least that bubblewrap does: namespaces of its own, everything visible and read-only. */
const BWRAP = ['bwrap', '--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'] as const;

export const commands: Family = {
  name: 'commands',
  workloads: [RUN_NODE],
  async run(bench) {
    const tries = bench.scale({ full: 5, quick: 4 });
    const workload: ToolWorkload = {
      name: RUN_NODE,
      by: [OURS, OURS_UNBOXED, COMMANDER],
      rounds: bench.scale({ full: 6, quick: 4 }),
      tries,
      warmUps: 2,
      calls: ({ run }) => run && [run()],
      holds: ([text = '']) => !text.includes('exitCode') || text.includes('"exitCode":0'),
    };
    const bare = [
      spawned(BARE_SPAWN, tries, 'node', '-e', '0'),
      spawned(BARE_BWRAP, tries, ...BWRAP, 'node', '-e', '0'),
    ];
    const cells = await interleave([...toolContenders(bench, workload), ...bare], workload.rounds);
    return [{ workload: RUN_NODE, cells }];
  },
};
