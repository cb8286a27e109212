/** The quick run: the ratios of now beside the committed ones. What looks worse is measured a second time. */
import { isBusy } from './busy-machine';
import { type Comparison, compare, loadFigures } from './figures';
import { judge } from './judge';
import { measure } from './measure';
import { judgedTable } from './report/judged-table';
import { table } from './report/numbers';
import type { Result } from './results';
import { rows } from './rows';
import { families } from './workloads/all';

/** Fails the process when a ratio is worse by half, twice, on a machine that has nothing else to do. */
export async function checkQuickly(names: readonly string[], only: readonly string[] | undefined): Promise<void> {
  const parts = families.map(({ name }) => name).filter((name) => only?.includes(name) ?? true);
  const busyBefore = await isBusy();
  const { results } = await measure({ isQuick: true, names, parts });
  const first = compareAll(results);
  const settled = busyBefore ? first : await lookAgain(first, names);
  const judged = rows.map((row) => judge(row, results)).filter(({ value }) => value !== undefined);
  process.stdout.write(`${judgedTable(judged)}\n\n${comparisonTable(settled)}\n`);
  if (!settled.some(({ isWorse }) => isWorse)) return;
  if (busyBefore || (await isBusy())) process.stdout.write('\nThe machine is busy with other things: not judged.\n');
  else process.exitCode = 1;
}

async function lookAgain(first: readonly Comparison[], names: readonly string[]): Promise<readonly Comparison[]> {
  const parts = familiesOf(first.filter(({ isWorse }) => isWorse));
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

function comparisonTable(all: readonly Comparison[]): string {
  return table(
    ['ratio', 'now, at best', 'committed', 'worse by half'],
    all.map(({ id, now, before, isWorse }) => [id, now.toFixed(3), before.toFixed(3), isWorse ? '**yes**' : 'no']),
  );
}
