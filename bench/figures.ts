/** The ratios of the last full run, and its baselines, kept in the repository: what a quick run is held against. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../test/harness/binary';
import type { Judged } from './judge';

export interface Figures {
  readonly date: string;
  readonly node: string;
  readonly rows: Readonly<Record<string, Figure>>;
}

export interface Figure {
  /** Smaller is better. */
  readonly ratio: number;
  /** What it was divided by, in ms: the baseline of that run. */
  readonly baseline: number;
}

export interface Comparison {
  readonly id: string;
  /** At best: a real loss is in every round. */
  readonly now: number;
  readonly before: number;
  /** How much longer the baseline itself took than in the run of the committed figures. */
  readonly weather: number;
  readonly verdict: Verdict;
}

/** `unlike`: the baseline says that this machine is another one, or has other things to do. */
export type Verdict = 'fine' | 'worse' | 'unlike';

/** Worse by half. Less than that is the weather on the machine. */
const TOLERANCE = 1.5;
const file = join(repository, 'bench', 'figures.json');

export function saveFigures(judged: readonly Judged[], date: string): void {
  const rows = judged.flatMap(({ row, value, against }) =>
    value === undefined || against?.p50 === undefined
      ? []
      : [[row.id, { ratio: short(value), baseline: short(against.p50) }]],
  );
  const figures: Figures = { date, node: process.versions.node, rows: Object.fromEntries(rows) };
  writeFileSync(file, `${JSON.stringify(figures, undefined, 2)}\n`);
}

export function loadFigures(): Figures {
  return JSON.parse(readFileSync(file, 'utf8')) as Figures;
}

export function compare(judged: readonly Judged[], { rows }: Pick<Figures, 'rows'>): Comparison[] {
  return judged.flatMap(({ row: { id }, atBest, against }) => {
    const figure = rows[id];
    if (atBest === undefined || against?.p50 === undefined || !figure) return [];
    const weather = against.p50 / figure.baseline;
    return [{ id, now: atBest, before: figure.ratio, weather, verdict: verdictOn(atBest / figure.ratio, weather) }];
  });
}

function verdictOn(growth: number, weather: number): Verdict {
  if (growth <= TOLERANCE) return 'fine';
  return weather > TOLERANCE || weather < 1 / TOLERANCE ? 'unlike' : 'worse';
}

function short(value: number): number {
  return Number(value.toPrecision(3));
}
