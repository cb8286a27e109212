/** Whole files of 1 MB and 10 MB. */
import { COMMANDER, FILESYSTEM_MCP, OFFICIAL, OURS } from '../contestants';
import type { Result } from '../results';
import { linesFor, MB, nameIn } from '../stage';
import { runToolWorkload } from '../tool-workload';
import type { Bench, Family } from '../workload';

export const READ_1MB = 'read 1 MB';
export const READ_10MB = 'read 10 MB';

export const largeReads: Family = {
  name: 'large-reads',
  workloads: [READ_1MB, READ_10MB],
  async run(bench) {
    return [
      await read(bench, { name: READ_1MB, bytes: MB, tries: bench.scale({ full: 15, quick: 8 }), warmUps: 10 }),
      await read(bench, { name: READ_10MB, bytes: 10 * MB, tries: bench.scale({ full: 4, quick: 2 }), warmUps: 2 }),
    ];
  },
};

interface Sized {
  readonly name: string;
  readonly bytes: number;
  readonly tries: number;
  readonly warmUps: number;
}

function read(bench: Bench, { bytes, ...rest }: Sized): Promise<Result> {
  const lines = linesFor(bytes);
  const path = bench.stage.fileOfLines(lines);
  return runToolWorkload(bench, {
    ...rest,
    by: [OURS, OFFICIAL, COMMANDER, FILESYSTEM_MCP],
    rounds: 5,
    calls: (calls) => [calls.read(path)],
    holds: ([text = '']) => text.includes(nameIn(1)) && text.includes(nameIn(lines)),
  });
}
