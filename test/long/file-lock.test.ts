import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { prepareWorkers, type StartWorker, temporaryDirectory, type Worker } from '../services/files/lock-processes';

const PROCESSES = 8;
const LINES_EACH = 250;
const KILL_EVERY_MS = 100;
const LIMIT_MS = 90_000;

const home = temporaryDirectory();
const directory = join(home, 'locks');
const file = join(home, 'lines');
afterAll(() => rmSync(home, { recursive: true }));

test(
  'eight processes that are killed at random and started again keep every line they were promised',
  async () => {
    writeFileSync(file, '');
    const startWorker = await prepareWorkers(home);
    const running = new Map<number, Worker>();
    const promised: string[][] = [];
    const stop = new AbortController();
    const kills = killAtRandom(running, stop.signal);
    await Promise.all(Array.from({ length: PROCESSES }, (_, seat) => appendAll(startWorker, seat, running, promised)));
    stop.abort();

    const kept = readFileSync(file, 'utf8').trim().split('\n');
    const isKept = new Set(kept);
    expect(promised.flat()).toHaveLength(PROCESSES * LINES_EACH);
    expect(promised.flat().filter((line) => !isKept.has(line))).toEqual([]);
    expect(kept).toHaveLength(isKept.size);
    expect(await kills).toBeGreaterThan(5);
  },
  LIMIT_MS,
);

/** Fills one seat until its lines are all promised; each new process has a name of its own. */
async function appendAll(startWorker: StartWorker, seat: number, running: Map<number, Worker>, promised: string[][]) {
  for (let life = 0, left = LINES_EACH; left > 0; life++) {
    const worker = startWorker('append', directory, file, `${seat}.${life}`, String(left));
    running.set(seat, worker);
    const code = await worker.ended;
    if (code) throw new Error(`A worker failed with exit code ${code}`);
    running.delete(seat);
    promised.push(worker.said);
    left -= worker.said.length;
  }
}

async function killAtRandom(running: ReadonlyMap<number, Worker>, signal: AbortSignal): Promise<number> {
  let kills = 0;
  while (!signal.aborted) {
    await sleep(Math.random() * 2 * KILL_EVERY_MS);
    const atWork = [...running.values()].filter(({ said }) => said.length > 0);
    const victim = atWork[Math.floor(Math.random() * atWork.length)];
    if (victim?.child.kill('SIGKILL')) kills++;
  }
  return kills;
}
