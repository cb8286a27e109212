/** The table of what must be reached, for the terminal and for the page. */
import { OFFICIAL } from '../contestants';
import type { Judged } from '../judge';
import type { Cell } from '../results';
import type { Row } from '../rows';
import { figure, table } from './numbers';

export function judgedTable(judged: readonly Judged[]): string {
  const head = ['workload', 'Tenon p50 (p95), ms', `${OFFICIAL} p50, ms`, 'ratio', 'must reach', 'reached'];
  return table(
    head,
    judged.map((each) => [
      each.row.title,
      ours(each),
      against(each),
      each.row.against ? ratio(each) : '–',
      each.row.must,
      each.isReached === undefined ? 'not measured' : each.isReached ? 'yes' : '**no**',
    ]),
  );
}

function ours({ ours: cell, row }: Judged): string {
  if (!cell) return '–';
  if (cell.word !== undefined) return cell.word;
  const p95 = row.unit || cell.p95 === undefined ? '' : ` (${figure(cell.p95)})`;
  return `${inUnit(cell, row)}${p95}`;
}

/** Whatever else it is held against says its name. */
function against({ against: cell, row }: Judged): string {
  if (!row.against || !cell) return '–';
  const { name } = row.against;
  return `${cell.word ?? inUnit(cell, row)}${name === OFFICIAL ? '' : ` ${name}`}`;
}

function inUnit(cell: Cell, { unit }: Row): string {
  if (unit === 'calls/s') return `${figure(1000 / (cell.p50 ?? Number.NaN))} calls/s`;
  return unit ? `${figure(cell.p50)} ${unit}` : figure(cell.p50);
}

function ratio({ value, row }: Judged): string {
  if (value === undefined) return '–';
  return row.unit === 'calls/s' ? `${(1 / value).toFixed(2)} ×` : value.toFixed(2);
}
