/** Whole files written: 1 KB, 1 MB and 10 MB, synced and left to the system. */
import { readFileSync } from 'node:fs';
import { writtenInC } from '../bare-programs';
import { COMMANDER, FILESYSTEM_MCP, OFFICIAL, OURS, OURS_FAST } from '../contestants';
import { interleave } from '../interleave';
import type { Result } from '../results';
import { linesFor, linesOf, MB } from '../stage';
import { SMALL_ROUNDS, SMALL_WARM_UPS, type ToolWorkload, toolContenders } from '../tool-workload';
import type { Bench, Family } from '../workload';

export const WRITE_1KB = 'write 1 KB';
export const WRITE_1MB = 'write 1 MB';
export const WRITE_10MB = 'write 10 MB';
export const IN_C = 'write + fsync in C';

export const writes: Family = {
  name: 'writes',
  workloads: [WRITE_1KB, WRITE_1MB, WRITE_10MB],
  async run(bench) {
    return [
      await write(bench, {
        name: WRITE_1KB,
        bytes: 1_000,
        tries: bench.scale({ full: 60, quick: 40 }),
        rounds: bench.scale({ full: SMALL_ROUNDS, quick: 5 }),
        warmUps: SMALL_WARM_UPS,
      }),
      await write(bench, {
        name: WRITE_1MB,
        bytes: MB,
        tries: bench.scale({ full: 12, quick: 6 }),
        rounds: 5,
        warmUps: 6,
      }),
      await write(bench, {
        name: WRITE_10MB,
        bytes: 10 * MB,
        tries: bench.scale({ full: 3, quick: 1 }),
        rounds: 5,
        warmUps: 1,
      }),
    ];
  },
};

interface Sized {
  readonly name: string;
  readonly bytes: number;
  readonly tries: number;
  readonly rounds: number;
  readonly warmUps: number;
}

async function write(bench: Bench, { bytes, ...rest }: Sized): Promise<Result> {
  const path = bench.stage.at(`written-${bytes}.ts`);
  const lines = linesFor(bytes);
  const contents = [linesOf(lines, 1), linesOf(lines, 2)];
  const content = (at: number) => contents[at % contents.length] ?? '';
  const workload: ToolWorkload = {
    ...rest,
    by: [OURS, OURS_FAST, OFFICIAL, COMMANDER, FILESYSTEM_MCP],
    calls: (calls, at) => [calls.write(path, content(at))],
    holds: (_, at) => readFileSync(path, 'utf8') === content(at),
  };
  const bare = writtenInC(IN_C, rest.tries, bench.stage.at(`written-in-c-${bytes}.txt`), content(0).length);
  const cells = await interleave([...toolContenders(bench, workload), bare], workload.rounds);
  return { workload: workload.name, cells };
}
