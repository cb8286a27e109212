/** Whether a row is reached. */
import { type Cell, cellOf, type Result } from './results';
import type { Row } from './rows';
import { median } from './stats';

export interface Judged {
  readonly row: Row;
  readonly ours: Cell | undefined;
  readonly against: Cell | undefined;
  /** The ratio, or the figure itself where there is nothing to divide by; undefined where it could not be had. */
  readonly value: number | undefined;
  readonly isReached: boolean | undefined;
}

export function judge(row: Row, results: readonly Result[]): Judged {
  const ours = cellOf(results, row.workload, row.ours);
  const against = row.against && cellOf(results, row.against.workload ?? row.workload, row.against.name);
  const value = row.against ? ratio(ours, against) : ours?.p50;
  const isReached = value === undefined ? (ours?.word === undefined ? undefined : false) : value <= row.atMost;
  return { row, ours, against, value, isReached };
}

/** Round by round, since a round is when both met the same machine; then the middle. */
function ratio(ours: Cell | undefined, against: Cell | undefined): number | undefined {
  const count = Math.min(ours?.rounds.length ?? 0, against?.rounds.length ?? 0);
  if (count === 0) return undefined;
  const at = (cell: Cell | undefined, round: number) => cell?.rounds[round] ?? Number.NaN;
  return median(Array.from({ length: count }, (_, round) => at(ours, round) / at(against, round)));
}
