/** What a workload came to, in a form that can be kept in a file. */

export interface Cell {
  /** The middle of each round; the rounds of all cells of a workload belong together. */
  readonly rounds: readonly number[];
  readonly p50?: number;
  readonly p95?: number;
  /** Processor time of the server per try. */
  readonly cpuMs?: number;
  /** Why there is no time: `no tool`, `wrong answer`, … */
  readonly word?: string;
  /** What a reader must know of this figure. */
  readonly note?: string;
}

export type Cells = Readonly<Record<string, Cell>>;

export interface Result {
  readonly workload: string;
  readonly cells: Cells;
}

/** Why a contestant drops out of a workload, in a word or two for the table. */
export class Setback extends Error {}

export function cellOf(results: readonly Result[], workload: string, name: string): Cell | undefined {
  return results.find((each) => each.workload === workload)?.cells[name];
}
