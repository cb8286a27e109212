/** The rows of the table: what is measured against what, and what must be reached. */
import { OFFICIAL, OFFICIAL_24, OURS, OURS_24, OURS_FAST } from './contestants';
import { COLD_START, MEMORY_AT_START } from './workloads/cold-start';
import { BARE_SPAWN, RUN_NODE } from './workloads/commands';
import { EDIT_100, EDIT_100_IN_5MB, EDIT_ONE } from './workloads/edits';
import { HTTP_CALL, SDK_HTTP } from './workloads/http';
import { READ_1MB, READ_10MB } from './workloads/large-reads';
import { LIST_10K_AGAIN, LIST_10K_CHANGED, SMALL_TREE, TREE_100K } from './workloads/lists';
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
  readonly against?: { readonly name: string };
  readonly must: string;
  readonly atMost: number;
  readonly unit?: 'MB' | 'calls/s';
}

/** How much a listing may take longer when ten times as much is there and the same is returned. */
const SAME_TIME = 2;

export const rows: readonly Row[] = [
  toOfficial(
    'cold-start',
    `cold start to \`tools/list\`, Node ${process.versions.node.split('.')[0]}`,
    COLD_START,
    0.32,
  ),
  {
    ...toOfficial('cold-start-24', 'cold start to `tools/list`, Node 24', COLD_START, 0.22),
    ours: OURS_24,
    against: { name: OFFICIAL_24 },
  },
  memory('memory-start', 'memory after start', MEMORY_AT_START, 48),
  toOfficial('read-1kb', 'read 1 KB, one after another', READ_1KB, 0.25),
  {
    ...toOfficial('read-1kb-64', 'read 1 KB, 64 in flight', READ_IN_FLIGHT, 1 / 3.5),
    must: '≥ 3.5 × the calls per second',
    unit: 'calls/s',
  },
  toOfficial('read-1mb', 'read 1 MB', READ_1MB, 0.5),
  toOfficial('read-10mb', 'read 10 MB', READ_10MB, 0.4),
  to(SED, 'window-first', '100 lines in the middle of 100 MB, first time', WINDOW_FIRST, 1),
  {
    id: 'window-again',
    title: 'the same, again',
    workload: WINDOW_AGAIN,
    ours: OURS,
    must: '≤ 1 ms',
    atMost: 1,
  },
  toOfficial('window-end', '100 lines at the end of 100 MB', WINDOW_END, 0.25),
  to(IN_C, 'write-1kb-synced', 'write 1 KB, synced to disk', WRITE_1KB, 3),
  { ...toOfficial('write-1kb-fast', 'write 1 KB, `--durability fast`', WRITE_1KB, 0.6), ours: OURS_FAST },
  { ...toOfficial('write-1mb-fast', 'write 1 MB, `--durability fast`', WRITE_1MB, 0.75), ours: OURS_FAST },
  {
    id: 'write-10mb',
    title: 'write 10 MB',
    workload: WRITE_10MB,
    ours: OURS,
    must: 'works',
    atMost: Number.POSITIVE_INFINITY,
  },
  toOfficial('edit-1', 'one edit in 1 MB', EDIT_ONE, 0.25),
  toOfficial('edit-100', '100 edits in 1 MB', EDIT_100, 0.2),
  toOfficial('edit-100-5mb', '100 edits in 5 MB', EDIT_100_IN_5MB, 0.2),
  toOfficial('list-10k-changed', '`list_dir` of 10,000 entries, cut at 2,000, after each change', LIST_10K_CHANGED, 1),
  toOfficial('list-10k-again', 'the same, unchanged', LIST_10K_AGAIN, 1),
  toOfficial('tree-100k-official', '`list_dir`, recursive, over 100,000 files, cut at 2,000', TREE_100K, 1),
  {
    id: 'tree-100k',
    title: 'the same, as what is there grows',
    workload: TREE_100K,
    ours: OURS,
    against: { name: SMALL_TREE },
    must: `≤ ${SAME_TIME} × the same over 10,000 files`,
    atMost: SAME_TIME,
  },
  to(BARE_SPAWN, 'run-command', '`run_command` of `node -e 0`, in the sandbox as shipped', RUN_NODE, 1.15),
  to(SDK_HTTP, 'http', 'read 1 KB over HTTP, keep-alive', HTTP_CALL, 0.5),
  memory('memory-end', 'memory after all of it', MEMORY_AT_END, 110),
];

function toOfficial(id: string, title: string, workload: string, atMost: number): Row {
  return { id, title, workload, ours: OURS, against: { name: OFFICIAL }, must: `≤ ${atMost}`, atMost };
}

function to(name: string, id: string, title: string, workload: string, atMost: number): Row {
  return { ...toOfficial(id, title, workload, atMost), against: { name }, must: `≤ ${atMost} × ${name}` };
}

function memory(id: string, title: string, workload: string, atMost: number): Row {
  return { id, title, workload, ours: OURS, must: `≤ ${atMost} MB`, atMost, unit: 'MB' };
}
