import type { ErrorTable, Tool } from './contract';
import type { Dialect } from './dialect';

/** `absolute`: inside the roots; `relative`: below the first root; `repository`: the same, with blocked names. */
export type PathRule = 'absolute' | 'relative' | 'repository';

export interface Toolset {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly dialect: Dialect;
  readonly pathRule: PathRule;
  /** Rows that hold for every tool of the set; a tool's own row wins. */
  readonly errors: ErrorTable;
  /** For an agent: how paths are given, and what the set is for. */
  readonly instructions: string;
}
