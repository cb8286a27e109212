/** Axes in powers of ten: where a value lies in a panel, and what stands at the ticks. */
import type { Point } from '../growth';

export type Range = readonly [number, number];

export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly xRange: Range;
  readonly yRange: Range;
  x(value: number): number;
  y(value: number): number;
}

const MARGIN = { left: 58, right: 40, top: 48, bottom: 52 };

export function frameAround(points: readonly Point[], { width, height }: { width: number; height: number }): Frame {
  const xRange = wholeDecades(points.map(({ x }) => x));
  const yRange = wholeDecades(points.map(({ ms }) => ms));
  const [left, right] = [MARGIN.left, width - MARGIN.right];
  const [top, bottom] = [MARGIN.top, height - MARGIN.bottom];
  return {
    left,
    right,
    top,
    bottom,
    xRange,
    yRange,
    x: (value) => rounded(left + (right - left) * share(value, xRange)),
    y: (value) => rounded(bottom - (bottom - top) * share(value, yRange)),
  };
}

export function decades([from, to]: Range): number[] {
  const count = Math.round(Math.log10(to / from)) + 1;
  return Array.from({ length: count }, (_, index) => from * 10 ** index);
}

export function decadeLabel(value: number, unit: string): string {
  if (unit !== 'bytes' && value < 1) return String(Number(value.toPrecision(1)));
  // Longer than its neighbours leave room for.
  if (unit !== 'bytes') return value >= 1e6 ? `${value / 1e6} M` : value.toLocaleString('en');
  for (const [size, name] of [
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'KB'],
  ] as const)
    if (value >= size) return `${value / size} ${name}`;
  return `${value} B`;
}

/** At least one, so that no axis has length 0. */
function wholeDecades(values: readonly number[]): Range {
  const from = Math.floor(Math.log10(Math.min(...values)));
  const to = Math.ceil(Math.log10(Math.max(...values)));
  return [10 ** from, 10 ** Math.max(to, from + 1)];
}

function share(value: number, [from, to]: Range): number {
  return Math.log(value / from) / Math.log(to / from);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
