/** The rows of the table: what is measured against what, and what must be reached. */
import { OFFICIAL, OFFICIAL_24, OURS, OURS_24, OURS_FAST } from './contestants';
import { type Cell, cellOf, type Result } from './results';
import { median } from './stats';
import { COLD_START, MEMORY_AT_START } from './workloads/cold-start';
import { BARE_SPAWN, RUN_NODE } from './workloads/commands';
import { EDIT_100, EDIT_100_IN_5MB, EDIT_ONE } from './workloads/edits';
import { HTTP_CALL, SDK_HTTP } from './workloads/http';
import { READ_1MB, READ_10MB } from './workloads/large-reads';
import { LIST_10K, TREE_10K, TREE_100K } from './workloads/lists';
import { MEMORY_AT_END } from './workloads/memory';
import { READ_1KB, READ_IN_FLIGHT } from './workloads/small-reads';
import { SED, WINDOW_AGAIN, WINDOW_END, WINDOW_FIRST } from './workloads/windows';
import { IN_C, WRITE_1KB, WRITE_1MB, WRITE_10MB } from './workloads/writes';

export interface Row {
  /** Its name in `figures.json`. */
  readonly id: string;
  readonly title: string;
  readonly workload: string;
  readonly ours: string;
  /** What it is divided by; without it, the figure itself is judged. */
  readonly against?: { readonly name: string; readonly workload?: string };
  readonly must: string;
  readonly atMost: number;
  readonly unit?: 'MB' | 'calls/s';
}

const official = { name: OFFICIAL };

/** How much a listing may take longer when ten times as much is there and the same is returned. */
const SAME_TIME = 2;

export const rows: readonly Row[] = [
  {
    id: 'cold-start',
    title: 'cold start to `tools/list`, Node 20',
    workload: COLD_START,
    ours: OURS,
    against: official,
    must: '≤ 0.32',
    atMost: 0.32,
  },
  {
    id: 'cold-start-24',
    title: 'cold start to `tools/list`, Node 24',
    workload: COLD_START,
    ours: OURS_24,
    against: { name: OFFICIAL_24 },
    must: '≤ 0.22',
    atMost: 0.22,
  },
  {
    id: 'memory-start',
    title: 'memory after start',
    workload: MEMORY_AT_START,
    ours: OURS,
    must: '≤ 48 MB',
    atMost: 48,
    unit: 'MB',
  },
  {
    id: 'read-1kb',
    title: 'read 1 KB, one after another',
    workload: READ_1KB,
    ours: OURS,
    against: official,
    must: '≤ 0.25',
    atMost: 0.25,
  },
  {
    id: 'read-1kb-64',
    title: 'read 1 KB, 64 in flight',
    workload: READ_IN_FLIGHT,
    ours: OURS,
    against: official,
    must: '≥ 3.5 × the calls per second',
    atMost: 1 / 3.5,
    unit: 'calls/s',
  },
  { id: 'read-1mb', title: 'read 1 MB', workload: READ_1MB, ours: OURS, against: official, must: '≤ 0.5', atMost: 0.5 },
  {
    id: 'read-10mb',
    title: 'read 10 MB',
    workload: READ_10MB,
    ours: OURS,
    against: official,
    must: '≤ 0.4',
    atMost: 0.4,
  },
  {
    id: 'window-first',
    title: '100 lines in the middle of 100 MB, first time',
    workload: WINDOW_FIRST,
    ours: OURS,
    against: { name: SED },
    must: '≤ 1 × `sed -n` of the same lines',
    atMost: 1,
  },
  { id: 'window-again', title: 'the same, again', workload: WINDOW_AGAIN, ours: OURS, must: '≤ 1 ms', atMost: 1 },
  {
    id: 'window-end',
    title: '100 lines at the end of 100 MB',
    workload: WINDOW_END,
    ours: OURS,
    against: official,
    must: '≤ 0.25',
    atMost: 0.25,
  },
  {
    id: 'write-1kb-synced',
    title: 'write 1 KB, synced to disk',
    workload: WRITE_1KB,
    ours: OURS,
    against: { name: IN_C },
    must: '≤ 3 × `write` + `fsync` in C',
    atMost: 3,
  },
  {
    id: 'write-1kb-fast',
    title: 'write 1 KB, `--durability fast`',
    workload: WRITE_1KB,
    ours: OURS_FAST,
    against: official,
    must: '≤ 0.6',
    atMost: 0.6,
  },
  {
    id: 'write-1mb-fast',
    title: 'write 1 MB, `--durability fast`',
    workload: WRITE_1MB,
    ours: OURS_FAST,
    against: official,
    must: '≤ 0.75',
    atMost: 0.75,
  },
  {
    id: 'write-10mb',
    title: 'write 10 MB',
    workload: WRITE_10MB,
    ours: OURS,
    must: 'works',
    atMost: Number.POSITIVE_INFINITY,
  },
  {
    id: 'edit-1',
    title: 'one edit in 1 MB',
    workload: EDIT_ONE,
    ours: OURS,
    against: official,
    must: '≤ 0.25',
    atMost: 0.25,
  },
  {
    id: 'edit-100',
    title: '100 edits in 1 MB',
    workload: EDIT_100,
    ours: OURS,
    against: official,
    must: '≤ 0.2',
    atMost: 0.2,
  },
  {
    id: 'edit-100-5mb',
    title: '100 edits in 5 MB',
    workload: EDIT_100_IN_5MB,
    ours: OURS,
    against: official,
    must: '≤ 0.2',
    atMost: 0.2,
  },
  {
    id: 'list-10k',
    title: '`list_dir` of 10,000 entries, cut at 2,000',
    workload: LIST_10K,
    ours: OURS,
    against: official,
    must: '≤ 1.0',
    atMost: 1,
  },
  {
    id: 'tree-100k',
    title: '`list_dir`, recursive, over 100,000 files, cut at 2,000',
    workload: TREE_100K,
    ours: OURS,
    against: { name: OURS, workload: TREE_10K },
    must: `≤ ${SAME_TIME} × the same over 10,000 files`,
    atMost: SAME_TIME,
  },
  {
    id: 'run-command',
    title: '`run_command` of `node -e 0`, in the sandbox as shipped',
    workload: RUN_NODE,
    ours: OURS,
    against: { name: BARE_SPAWN },
    must: '≤ 1.15 × bare spawn',
    atMost: 1.15,
  },
  {
    id: 'http',
    title: 'read 1 KB over HTTP, keep-alive',
    workload: HTTP_CALL,
    ours: OURS,
    against: { name: SDK_HTTP },
    must: '≤ 0.5 × the same tool on the MCP SDK v1’s HTTP',
    atMost: 0.5,
  },
  {
    id: 'memory-end',
    title: 'memory after all of it',
    workload: MEMORY_AT_END,
    ours: OURS,
    must: '≤ 110 MB',
    atMost: 110,
    unit: 'MB',
  },
];

export interface Judged {
  readonly row: Row;
  readonly ours: Cell | undefined;
  readonly against: Cell | undefined;
  /** The ratio, or the figure itself where there is nothing to divide by; undefined where it could not be had. */
  readonly value: number | undefined;
  readonly isReached: boolean | undefined;
}

export function judge(row: Row, results: readonly Result[]): Judged {
  const ours = cellOf(results, row.workload, row.ours);
  const against = row.against && cellOf(results, row.against.workload ?? row.workload, row.against.name);
  const value = row.against ? ratio(ours, against) : ours?.p50;
  const isReached = value === undefined ? (ours?.word === undefined ? undefined : false) : value <= row.atMost;
  return { row, ours, against, value, isReached };
}

/** Round by round, since a round is when both met the same machine; then the middle. */
function ratio(ours: Cell | undefined, against: Cell | undefined): number | undefined {
  const count = Math.min(ours?.rounds.length ?? 0, against?.rounds.length ?? 0);
  if (count === 0) return undefined;
  const at = (cell: Cell | undefined, round: number) => cell?.rounds[round] ?? Number.NaN;
  return median(Array.from({ length: count }, (_, round) => at(ours, round) / at(against, round)));
}
