/** Edits of whole lines spread over a file: one and a hundred. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Change } from '../adapters';
import { COMMANDER, FILESYSTEM_MCP, OFFICIAL, OURS, OURS_FAST } from '../contestants';
import type { Result } from '../results';
import { lineOf, linesFor, linesOf, MB } from '../stage';
import { runToolWorkload, SMALL_ROUNDS, SMALL_WARM_UPS } from '../tool-workload';
import type { Bench, Family } from '../workload';

export const EDIT_ONE = 'one edit in 1 MB';
export const EDIT_100 = '100 edits in 1 MB';
export const EDIT_100_IN_5MB = '100 edits in 5 MB';

export const edits: Family = {
  name: 'edits',
  workloads: [EDIT_ONE, EDIT_100, EDIT_100_IN_5MB],
  async run(bench) {
    const { scale } = bench;
    const rounds = scale({ full: 5, quick: 3 });
    const one = { rounds: scale({ full: SMALL_ROUNDS, quick: 3 }), tries: scale({ full: 12, quick: 8 }) };
    const many = { rounds, tries: scale({ full: 5, quick: 3 }), warmUps: scale({ full: 4, quick: 3 }) };
    return [
      await edit(bench, { name: EDIT_ONE, bytes: MB, count: 1, warmUps: SMALL_WARM_UPS, ...one }),
      await edit(bench, { name: EDIT_100, bytes: MB, count: 100, ...many }),
      await edit(bench, { name: EDIT_100_IN_5MB, bytes: 5 * MB, count: 100, rounds, tries: 2, warmUps: 2 }),
    ];
  },
};

interface Sized {
  readonly name: string;
  readonly bytes: number;
  readonly count: number;
  readonly rounds: number;
  readonly tries: number;
  readonly warmUps: number;
}

function edit(bench: Bench, { name, bytes, count, rounds, tries, warmUps }: Sized): Promise<Result> {
  const path = bench.stage.at('edited.ts');
  const lines = linesFor(bytes);
  const before = linesOf(lines);
  const changes = changesOf(lines, count);
  const after = apply(before, changes);
  return runToolWorkload(bench, {
    name,
    by: [OURS, OURS_FAST, OFFICIAL, COMMANDER, FILESYSTEM_MCP],
    rounds,
    tries,
    warmUps,
    // On disk before the clock runs, as what is edited mostly is: what was cut off or written a moment ago would be
    // taken care of while the next sync waits, a fifth of a millisecond for each server that syncs.
    before: () => writeFileSync(path, before, { flush: true }),
    calls: (calls) => calls.edit(path, changes),
    holds: () => readFileSync(path, 'utf8') === after,
  });
}

/** Whole lines, spread evenly, in no order. */
export function changesOf(lines: number, count: number): Change[] {
  const step = lines / count;
  return Array.from({ length: count }, (_, index) => {
    const place = (index * 37) % count;
    const from = lineOf(1 + Math.floor((place + 0.5) * step));
    return { from, to: from.replace('const', 'let  ').replace('strict: true', 'strict: !0') };
  });
}

/** The changes never touch each other, so that they can be made line by line. */
export function apply(text: string, changes: readonly Change[]): string {
  const wanted = new Map(changes.map(({ from, to }) => [from, to]));
  return text.replace(/.*\n/g, (line) => wanted.get(line) ?? line);
}
