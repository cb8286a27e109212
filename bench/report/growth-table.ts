/** How steeply each series rises, and whether that is linear or better. */
import type { Series } from '../growth';
import { figure, table } from './numbers';

/** 1 is linear; the rest is what a measurement is off by. */
const LINEAR = 1.15;
/** The rise is taken over the last three points, where fixed costs no longer hide it. */
const POINTS = 3;

export function growthTable(all: readonly Series[]): string {
  return table(
    ['what', 'from', 'to', 'exponent at the end', 'linear or better'],
    all.map((series) => [
      `${series.panel}: ${series.name}`,
      end(series, series.points[0]),
      end(series, series.points.at(-1)),
      exponent(series).toFixed(2),
      isLinear(series) ? 'yes' : `**no**${series.missing.length > 0 ? `: ${series.missing.join('; ')}` : ''}`,
    ]),
  );
}

/** A size that was refused is not linear either. */
export function isLinear(series: Series): boolean {
  return series.missing.length === 0 && exponent(series) <= LINEAR;
}

/** The power of the size with which the time grows. */
function exponent({ points }: Series): number {
  const last = points.at(-1);
  const first = points.at(-POINTS) ?? points[0];
  if (!first || !last || first === last) return Number.NaN;
  return Math.log(last.ms / first.ms) / Math.log(last.x / first.x);
}

function end({ unit }: Series, point: Series['points'][number] | undefined): string {
  return point ? `${point.x.toLocaleString('en')} ${unit}: ${figure(point.ms)} ms` : '–';
}
