/** One trial: what is done to a server, and what came of it. */
import type { Server } from './server';

export interface Trial {
  readonly name: string;
  /** What is done and what is counted, in a sentence or two for the reader of the table. */
  readonly what: string;
  /** Starts so few servers that a slow one can take part in a quick run. */
  readonly isLight?: boolean;
  run(server: Server, scale: Scale): Promise<Figure>;
}

/** The rows of a trial in the table, each with its cell for one server. */
export type Figure = Readonly<Record<string, Cell>>;

export interface Cell {
  readonly text: string;
  /** Whether the promise was kept; undefined where there is nothing to judge. */
  readonly holds: boolean | undefined;
  /** What a reader needs to understand the figure; printed below the table. */
  readonly notes?: readonly string[];
}

/** How often something is tried. */
export interface Scale {
  readonly isQuick: boolean;
  count(counts: Counts): number;
  /** The moment at which a trial stops trying, whatever it has reached. */
  deadline(limitsMs: { ours: number; peers: number }): number;
}

export interface Counts {
  readonly ours: number;
  /** Slow servers get fewer rounds; the table says how many. */
  readonly peers: number;
  readonly quick: number;
}

const QUICK_LIMIT_MS = 1_000;

export function scaleFor(server: Server, { isQuick }: { isQuick: boolean }): Scale {
  return {
    isQuick,
    deadline: (limitsMs) =>
      performance.now() +
      Math.min(isQuick ? QUICK_LIMIT_MS : Number.POSITIVE_INFINITY, server.isOurs ? limitsMs.ours : limitsMs.peers),
    count: ({ ours, peers, quick }) =>
      Math.min(isQuick ? quick : Number.POSITIVE_INFINITY, server.isOurs ? ours : peers),
  };
}

export const NO_TOOL: Cell = { text: 'no tool', holds: undefined };
export const NO_HTTP: Cell = { text: 'has no HTTP door', holds: undefined };
export const NO_COMMANDS: Cell = { text: 'has no commands', holds: undefined };

export function notRun(reason: string): Cell {
  return { text: 'not run', holds: undefined, notes: [reason] };
}

/** `3 of 1,000`, where anything but 0 breaks the promise. */
export function failures(count: number, of: number, notes: readonly string[] = []): Cell {
  return { text: `${count.toLocaleString('en')} of ${of.toLocaleString('en')}`, holds: count === 0, notes };
}
