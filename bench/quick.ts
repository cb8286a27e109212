/** The quick run: the ratios of now beside the committed ones. What looks worse is measured again, twice at most. */
import { isBusy, watchStolen } from './busy-machine';
import { type Comparison, compare, loadFigures } from './figures';
import { judge } from './judge';
import { measure } from './measure';
import { judgedTable } from './report/judged-table';
import { table } from './report/numbers';
import type { Result } from './results';
import { rows } from './rows';
import { families } from './workloads/all';

const MORE_LOOKS = 2;

/**
 * Fails the process when a ratio is worse by half in every look, though its baseline takes as long as it did, on a
 * machine that has nothing else to do.
 */
export async function checkQuickly(names: readonly string[], only: readonly string[] | undefined): Promise<void> {
  const parts = families.map(({ name }) => name).filter((name) => only?.includes(name) ?? true);
  const busyBefore = await isBusy();
  const isStolen = watchStolen();
  const { results } = await measure({ isQuick: true, names, parts });
  let settled: readonly Comparison[] = compareAll(results);
  for (let look = 0; look < MORE_LOOKS && !busyBefore; look++) settled = await lookAgain(settled, names);
  const judged = rows.map((row) => judge(row, results)).filter(({ value }) => value !== undefined);
  process.stdout.write(`${judgedTable(judged)}\n\n${comparisonTable(settled)}\n`);
  if (!settled.some(isWorse)) return;
  if (isStolen()) process.stdout.write('\nThe machine was taken off its processors time and again: not judged.\n');
  else if (busyBefore || (await isBusy()))
    process.stdout.write('\nThe machine is busy with other things: not judged.\n');
  else process.exitCode = 1;
}

async function lookAgain(first: readonly Comparison[], names: readonly string[]): Promise<readonly Comparison[]> {
  const parts = familiesOf(first.filter(isWorse));
  if (parts.length === 0) return first;
  const second = compareAll((await measure({ isQuick: true, names, parts })).results);
  return first.map((one) => {
    const other = second.find(({ id }) => id === one.id);
    return other && other.now < one.now ? other : one;
  });
}

/** The families in which these rows are measured. */
function familiesOf(all: readonly Comparison[]): string[] {
  const workloads = all.map(({ id }) => rows.find((row) => row.id === id)?.workload ?? '');
  return families.filter((family) => family.workloads.some((name) => workloads.includes(name))).map(({ name }) => name);
}

function compareAll(results: readonly Result[]): Comparison[] {
  return compare(
    rows.map((row) => judge(row, results)),
    loadFigures(),
  );
}

function isWorse({ verdict }: Comparison): boolean {
  return verdict === 'worse';
}

const WORDS = { fine: 'no', worse: '**yes**', unlike: 'not judged: another machine, or another day' };

function comparisonTable(all: readonly Comparison[]): string {
  return table(
    ['ratio', 'now, at best', 'committed', 'its baseline, now / then', 'worse by half'],
    all.map(({ id, now, before, weather, verdict }) => [
      id,
      now.toFixed(3),
      before.toFixed(3),
      weather.toFixed(2),
      WORDS[verdict],
    ]),
  );
}
