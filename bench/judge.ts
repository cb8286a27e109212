/** Whether a row is reached. */
import { type Cell, cellOf, type Result } from './results';
import type { Row } from './rows';
import { median, quantile } from './stats';

export interface Judged {
  readonly row: Row;
  readonly ours: Cell | undefined;
  readonly against: Cell | undefined;
  /** The ratio, or the figure itself where there is nothing to divide by; undefined where it could not be had. */
  readonly value: number | undefined;
  /** The ratio that a quarter of the rounds stay below: what a busy machine does to some rounds is not in it. */
  readonly atBest: number | undefined;
  readonly isReached: boolean | undefined;
}

export function judge(row: Row, results: readonly Result[]): Judged {
  const ours = cellOf(results, row.workload, row.ours);
  const against = row.against && cellOf(results, row.workload, row.against.name);
  const ratios = row.against ? ratiosOf(ours, against) : [];
  const value = row.against ? orNothing(median(ratios)) : ours?.p50;
  const isReached = value === undefined ? (ours?.word === undefined ? undefined : false) : value <= row.atMost;
  return { row, ours, against, value, atBest: orNothing(quantile(ratios, 0.25)), isReached };
}

/** Round by round, since a round is when both met the same machine. */
function ratiosOf(ours: Cell | undefined, against: Cell | undefined): number[] {
  const theirs = against?.rounds ?? [];
  return (ours?.rounds ?? []).map((round, at) => round / (theirs[at] ?? Number.NaN)).filter(Number.isFinite);
}

function orNothing(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
