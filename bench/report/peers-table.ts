/** Every workload with everybody who took part: the times, and what they cost the servers. */
import { COMMANDER, contestant, FILESYSTEM_MCP, OFFICIAL, OURS, OURS_FAST } from '../contestants';
import type { Cell, Result } from '../results';
import { MEMORY_AT_START } from '../workloads/cold-start';
import { MEMORY_AT_END } from '../workloads/memory';
import { figure, table } from './numbers';

const COLUMNS = [OURS, OURS_FAST, OFFICIAL, COMMANDER, FILESYSTEM_MCP];
const MEMORY = [MEMORY_AT_START, MEMORY_AT_END];

export function timesTable(results: readonly Result[]): string {
  const head = ['p50 (p95), ms', ...COLUMNS.map(titleOf), 'beside them'];
  const timed = results.filter(({ workload }) => !MEMORY.includes(workload));
  return table(
    head,
    timed.map(({ workload, cells }) => [workload, ...COLUMNS.map((name) => time(cells[name])), others(cells)]),
  );
}

export function costTable(results: readonly Result[]): string {
  const head = ['processor time of the server per call, ms', ...COLUMNS.map(titleOf)];
  const spent = results.filter(({ cells }) => Object.values(cells).some(({ cpuMs }) => cpuMs !== undefined));
  return table(
    head,
    spent.map(({ workload, cells }) => [workload, ...COLUMNS.map((name) => figure(cells[name]?.cpuMs))]),
  );
}

export function memoryTable(results: readonly Result[]): string {
  const kept = results.filter(({ workload }) => MEMORY.includes(workload));
  return table(
    ['resident memory', ...COLUMNS.map(titleOf)],
    kept.map(({ workload, cells }) => [workload, ...COLUMNS.map((name) => megabytes(cells[name]))]),
  );
}

function titleOf(name: string): string {
  return `${name} ${contestant(name).version}`;
}

function time(cell: Cell | undefined): string {
  if (!cell) return '–';
  return cell.word ?? `${figure(cell.p50)} (${figure(cell.p95)})`;
}

function megabytes(cell: Cell | undefined): string {
  return `${figure(cell?.p50)}${cell?.note ? ` (${cell.note})` : ''}`;
}

function others(cells: Readonly<Record<string, Cell>>): string {
  const rest = Object.entries(cells).filter(([name]) => !COLUMNS.includes(name));
  return rest.map(([name, cell]) => `${name}: ${time(cell)}`).join('; ') || '–';
}
