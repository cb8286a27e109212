/** The ratios of the last full run, kept in the repository: what a quick run is held against. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../test/harness/binary';
import type { Judged } from './judge';

export interface Figures {
  readonly date: string;
  readonly node: string;
  /** Smaller is better. */
  readonly ratios: Readonly<Record<string, number>>;
}

export interface Comparison {
  readonly id: string;
  /** At best: a real loss is in every round. */
  readonly now: number;
  readonly before: number;
  readonly isWorse: boolean;
}

/** Worse by half. Less than that is the weather on the machine. */
const TOLERANCE = 1.5;
const file = join(repository, 'bench', 'figures.json');

export function saveFigures(judged: readonly Judged[], date: string): void {
  const ratios = judged.flatMap(({ row, value }) =>
    row.against && value !== undefined ? [[row.id, Number(value.toPrecision(3))]] : [],
  );
  const figures: Figures = { date, node: process.versions.node, ratios: Object.fromEntries(ratios) };
  writeFileSync(file, `${JSON.stringify(figures, undefined, 2)}\n`);
}

export function loadFigures(): Figures {
  return JSON.parse(readFileSync(file, 'utf8')) as Figures;
}

export function compare(judged: readonly Judged[], { ratios }: Pick<Figures, 'ratios'>): Comparison[] {
  return judged.flatMap(({ row: { id }, atBest }) => {
    const before = ratios[id];
    return atBest === undefined || before === undefined
      ? []
      : [{ id, now: atBest, before, isWorse: atBest > before * TOLERANCE }];
  });
}
