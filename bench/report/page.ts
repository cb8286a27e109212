/** docs/performance.md and its plot, written from what was measured. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../test/harness/binary';
import { FILESYSTEM_MCP, OFFICIAL } from '../contestants';
import type { Judged } from '../judge';
import type { Run } from '../run-store';
import { blocksTable, isShort, longestOf, MAX_BLOCK_MS, told } from './blocks-table';
import { growthTable, isLinear } from './growth-table';
import { judgedTable } from './judged-table';
import { figure } from './numbers';
import { costTable, memoryTable, timesTable } from './peers-table';
import { plotOf } from './plot';
import { reasons } from './reasons';

const docs = join(repository, 'docs');

export function writePage(judged: readonly Judged[], { results, series, blocks }: Run, date: string): void {
  writeFileSync(join(docs, 'performance.svg'), plotOf(series));
  writeFileSync(
    join(docs, 'performance.md'),
    `# Performance

Written by \`npm run bench\`; do not edit. To repeat it: \`npm run bench\` (all of it, about a quarter of an hour), \`npm run bench -- --quick\` (under two minutes, prints the ratios only) or \`npm run bench -- --only windows\`, one part alone: its rows are replaced, the others kept from the last run.

Measured on ${date} with Node.js ${process.versions.node} (${FILESYSTEM_MCP}: 24.21.0) on ${process.platform} ${process.arch}, ${cpus().length} cores, a disk. All servers are driven by the same client, which uses no SDK; they take turns in one run, in another order each round. Times run from the write of the request to the newline of the answer; every answer is checked, and after a write or an edit the bytes of the file. Another machine gives other times: the ratios, taken round by round, are what to compare. Tenon runs as shipped: every write synced to disk, commands in the sandbox; the other servers do not sync. Everything runs without variables for Node.js: NODE_EXTRA_CA_CERTS alone more than doubles the start of Node 20, whatever is started.

## What must be reached

${judgedTable(judged)}

${notReached(judged)}

- Growth: ${series.every(isLinear) ? 'every series below is linear or better' : '**not** every series below is linear or better'}.
- Bounded: ${bounded(blocks)}.
- \`sed -n\` is spawned and reads the whole file; so does Tenon the first time, in a fresh server, since it also counts the lines. Bare spawn is \`node -e 0\` from a small process. Commands come in threes, from everybody after a pause of 0.8 s, in which Tenon makes sandboxes for them; ten in a row, more than it keeps ready, are in the next table.
- A directory that has changed is listed by two threads at once. After a pause (in the next table, judged by nothing) the processors sleep, and the kernel of a virtual machine may take one that sleeps for one that was taken away, and let both threads run on the other.

## Everybody

"no tool": the server does not offer that. "over 12 s": nobody waits longer. ${OFFICIAL} has no window into the middle of a file, so that its figure there is all the lines before it too; it cuts no listing.

${timesTable(results)}

## What it costs

${costTable(results)}

${memoryTable(results)}

## Growth

![How the time of a call grows with the size of what it is about](performance.svg)

What is flatter than the dashed lines at the right end is better than linear.

${growthTable(series)}

## The event loop

The heaviest calls we know, each made three times, in a fresh server whose loop is watched from inside, for half a second after the answer too: the middle of the three, and in brackets the worst. A virtual machine may be taken off its processors; so processes that do nothing watch each of them, and the time for which one of these could not be woken, at that very moment, is taken off, but nothing of what the server computed. By the worst of what is left a call is judged. Of that block, what the server computed and how long it was ready and waited for a processor; the rest it slept, waiting for the disk, for other threads, or in vain for a timer. Then, the slowest answer to a ping sent every 5 ms, which also waits for what lies before it in the pipes. Last column: the longest block of ${OFFICIAL}, of the whole call.

${blocksTable(blocks)}
`,
  );
}

function notReached(judged: readonly Judged[]): string {
  const missed = judged.filter(({ isReached }) => isReached !== true);
  if (missed.length === 0) return 'Every row is reached.';
  const lines = missed.map(({ row }) => `- ${row.title}: ${reasons[row.id] ?? 'not looked into.'}`);
  return ['Not reached, and why:', '', ...lines].join('\n');
}

function bounded(blocks: Run['blocks']): string {
  const long = blocks.filter((block) => !isShort(block));
  const measured = `without the time for which the machine itself stood still (with it, ${figure(longestOf(blocks))} ms at most)`;
  if (long.length === 0)
    return `no call below keeps the event loop for more than ${MAX_BLOCK_MS} ms in any round, ${measured}`;
  return `**not** all calls below keep the event loop for less than ${MAX_BLOCK_MS} ms in every round, ${measured}: ${long.map(told).join('; ')}`;
}
