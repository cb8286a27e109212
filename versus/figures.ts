/** The figures of the last full-size runs, kept so that one trial can be repeated alone. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCache } from './places';
import type { Figure } from './trial';

export interface Measured {
  readonly trial: string;
  readonly server: string;
  readonly date: string;
  readonly figure: Figure;
}

const file = (): string => join(makeCache(), 'figures.json');

export function loadFigures(): Measured[] {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as Measured[];
  } catch {
    return [];
  }
}

export function saveFigures(fresh: readonly Measured[]): void {
  const isFresh = (old: Measured) => fresh.some(({ trial, server }) => trial === old.trial && server === old.server);
  writeFileSync(file(), JSON.stringify([...loadFigures().filter((old) => !isFresh(old)), ...fresh], undefined, 1));
}
