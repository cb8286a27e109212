/** A family of workloads: what it is given, and what it gives. */
import type { Result } from './results';
import type { Sessions } from './sessions';
import type { Stage } from './stage';

export interface Bench {
  readonly isQuick: boolean;
  readonly stage: Stage;
  readonly sessions: Sessions;
  /** Everybody of these who takes part in this run. */
  among(names: readonly string[]): string[];
  /** Fewer in a quick run. */
  scale(amounts: { full: number; quick: number }): number;
}

export interface Family {
  readonly name: string;
  /** The names of the results that it gives. */
  readonly workloads: readonly string[];
  run(bench: Bench): Promise<Result[]>;
}
