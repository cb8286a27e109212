/** 1 KB, read one after another, and with 64 requests in flight. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../test/harness/binary';
import { COMMANDER, FILESYSTEM_MCP, maxRoundsOf, OFFICIAL, OURS } from '../contestants';
import { type Contender, interleave, repeat } from '../interleave';
import { cpuMs } from '../process-stats';
import { type Result, Setback } from '../results';
import { paramsOf, type Session } from '../sessions';
import { linesOf, nameIn } from '../stage';
import {
  BLOCK_BUDGET_MS,
  SMALL_WARM_UPS,
  type ToolWorkload,
  toolContenders,
  WARM_UP_BUDGET_MS,
} from '../tool-workload';
import { openWire } from '../wire';
import type { Bench, Family } from '../workload';

export const READ_1KB = 'read 1 KB, one after another';
/** The least that a call can take here. */
export const ECHO = 'an echo in Node';
export const READ_IN_FLIGHT = 'read 1 KB, 64 in flight, ms per call';

const LINES = 10;
const IN_FLIGHT = 64;
const WARM_UPS_IN_FLIGHT = 1_000;
const ANSWER_LIMIT_MS = 12_000;
const BY = [OURS, OFFICIAL, COMMANDER, FILESYSTEM_MCP];

export const smallReads: Family = {
  name: 'small-reads',
  workloads: [READ_1KB, READ_IN_FLIGHT],
  async run(bench) {
    const path = bench.stage.at('small.ts');
    writeFileSync(path, linesOf(LINES));
    return [await oneByOne(bench, path), await inFlight(bench, path)];
  },
};

async function oneByOne(bench: Bench, path: string): Promise<Result> {
  const workload: ToolWorkload = {
    name: READ_1KB,
    by: BY,
    rounds: bench.scale({ full: 7, quick: 5 }),
    tries: 300,
    warmUps: SMALL_WARM_UPS,
    calls: (calls) => [calls.read(path)],
    holds: ([text = '']) => isWhole(text),
  };
  const echo = openWire({ command: process.execPath, args: [join(repository, 'bench', 'echo.mjs')] });
  const repeated = (count: number) =>
    repeat({ count, budgetMs: bench.scale(BLOCK_BUDGET_MS) }, async () => (await echo.ask('tools/call', '{}')).ms);
  const floor: Contender = { name: ECHO, warmUp: () => repeated(500), block: () => repeated(workload.tries) };
  try {
    return {
      workload: READ_1KB,
      cells: await interleave([...toolContenders(bench, workload), floor], workload.rounds),
    };
  } finally {
    await echo.kill();
  }
}

function isWhole(text: string): boolean {
  return text.includes(nameIn(1)) && text.includes(nameIn(LINES));
}

async function inFlight(bench: Bench, path: string): Promise<Result> {
  const size: Crowd = { count: 4_000, budgetMs: bench.scale(BLOCK_BUDGET_MS) };
  const contenders = bench.among(BY).map((name): Contender => {
    let session: Session;
    return {
      name,
      maxRounds: maxRoundsOf(name),
      cpuMs: () => cpuMs(session.wire.pid),
      dropOut: () => bench.sessions.drop(name),
      async warmUp() {
        session = await bench.sessions.open(name);
        await crowd(session, path, { count: WARM_UPS_IN_FLIGHT, budgetMs: WARM_UP_BUDGET_MS });
      },
      async block() {
        session = await bench.sessions.open(name);
        return crowd(session, path, size);
      },
    };
  });
  return { workload: READ_IN_FLIGHT, cells: await interleave(contenders, bench.scale({ full: 7, quick: 5 })) };
}

interface Crowd {
  readonly count: number;
  readonly budgetMs: number;
}

/** Keeps 64 requests open until so many are answered or the time is up. Each gets its share of the time. */
async function crowd({ wire, calls, textOf }: Session, path: string, { count, budgetMs }: Crowd): Promise<number[]> {
  const params = paramsOf(calls.read(path));
  const lines: Buffer[] = [];
  const started = performance.now();
  const elapsed = await new Promise<number>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Setback(`over ${ANSWER_LIMIT_MS / 1000} s`)), ANSWER_LIMIT_MS);
    let sent = 0;
    const sendNext = () => {
      sent++;
      wire.send('tools/call', params, ({ line }) => {
        lines.push(line);
        if (sent < count && performance.now() - started < budgetMs) return sendNext();
        if (lines.length < sent) return;
        clearTimeout(limit);
        resolve(performance.now() - started);
      });
    };
    while (sent < Math.min(IN_FLIGHT, count)) sendNext();
  });
  if (!lines.every((line) => isWhole(textOf(line)))) throw new Setback('wrong answer');
  return lines.map(() => elapsed / lines.length);
}
