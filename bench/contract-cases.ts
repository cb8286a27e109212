/**
 * The two test cases of the contracts that name a time: 100 edits in one call (under 500 ms) and a write of 1 MB
 * (under 100 ms), through the stdio door of the built binary, with validation, wall, lock and sync on, as shipped.
 * Beside them, in the same run, what the disk itself needs: the same bytes written and synced by Node alone.
 *
 * Run: node scripts/run.mjs bench/contract-cases.ts
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openBenchClient } from './stdio-client';
import { ms, timed } from './timing';

const ROUNDS = 30;
const MEGABYTE = 1_048_576;

const root = mkdtempSync(join(tmpdir(), 'tenon-bench-'));
const client = await openBenchClient(process.execPath, [resolve('dist/tenon.cjs'), 'serve', '--root', root]);
try {
  const edits = await timeEdits();
  const write = await timeWrite();
  const disk = await timeDisk();
  const rows = [
    ['100 edits in one call', edits, 'under 500 ms'],
    ['write of 1 MB', write, 'under 100 ms'],
    ['the same bytes, write + fsync by Node alone', disk, ''],
  ] as const;
  process.stdout.write(`Node ${process.versions.node}, ${ROUNDS} rounds, ms\n\n`);
  process.stdout.write(`| case | p50 | p95 | contract |\n|---|---|---|---|\n`);
  for (const [name, { p50, p95 }, bound] of rows)
    process.stdout.write(`| ${name} | ${ms(p50)} | ${ms(p95)} | ${bound} |\n`);
} finally {
  await client.close();
  rmSync(root, { recursive: true, force: true });
}

function timeEdits() {
  const path = join(root, 'edits.txt');
  const lines = Array.from({ length: 100 }, (_, i) => `unique string number ${i};\n`);
  const edits = lines.map((_, i) => ({ old_string: `number ${i};`, new_string: `changed ${i};` }));
  return timed(ROUNDS, async () => {
    writeFileSync(path, lines.join(''));
    const answer = (await client.call('multi_edit_text_file', { path, edits })) as { applied_count: number };
    if (answer.applied_count !== 100) throw new Error('not all edits were applied');
  });
}

function timeWrite() {
  const path = join(root, 'large.txt');
  const content = 'x'.repeat(MEGABYTE);
  return timed(ROUNDS, async () => {
    const answer = (await client.call('write_text_file', { path, content })) as { bytes_written: number };
    if (answer.bytes_written !== MEGABYTE || readFileSync(path).length !== MEGABYTE) throw new Error('not written');
  });
}

function timeDisk() {
  const bytes = Buffer.alloc(MEGABYTE, 'x');
  return timed(ROUNDS, async (round) => {
    const fd = openSync(join(root, `plain-${round}.txt`), 'w');
    writeSync(fd, bytes);
    fsyncSync(fd);
    closeSync(fd);
  });
}
