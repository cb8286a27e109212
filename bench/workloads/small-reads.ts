/** 1 KB, read one after another, with 64 requests in flight, and after pauses. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repository } from '../../test/harness/binary';
import { timeOfEach, type UnpausedWorkload, unpausedBeside, unpausedContenders } from '../back-to-back';
import { COMMANDER, FILESYSTEM_MCP, OFFICIAL, OURS } from '../contestants';
import { type Contender, interleave, repeat } from '../interleave';
import type { Result } from '../results';
import { linesOf, nameIn } from '../stage';
import { BLOCK_BUDGET_MS, SMALL_ROUNDS, toolContenders } from '../tool-workload';
import { openWire, type Wire } from '../wire';
import type { Bench, Family } from '../workload';

export const READ_1KB = 'read 1 KB, one after another';
export const READ_IN_FLIGHT = 'read 1 KB, 64 in flight, ms per call';
export const READ_PAUSED = 'read 1 KB, after a pause of 2 ms';

const LINES = 10;
const PAUSE_MS = 2;
const BY = [OURS, OFFICIAL, COMMANDER, FILESYSTEM_MCP];

export const smallReads: Family = {
  name: 'small-reads',
  workloads: [READ_1KB, READ_IN_FLIGHT, READ_PAUSED],
  async run(bench) {
    const path = bench.stage.at('small.ts');
    writeFileSync(path, linesOf(LINES));
    const bare = openBare(path);
    try {
      const unpaused = [await measure(bench, path, ONE_BY_ONE, bare), await measure(bench, path, IN_FLIGHT, [])];
      return bench.isQuick ? unpaused : [...unpaused, await paused(bench, path, bare)];
    } finally {
      for (const { wire } of bare) await wire.kill();
    }
  },
};

type Plan = Pick<UnpausedWorkload, 'inFlight' | 'count' | 'timesOf'> & { readonly name: string };

const ONE_BY_ONE: Plan = { name: READ_1KB, inFlight: 1, count: 1_000, timesOf: timeOfEach };

/** Each gets its share of the time. */
const IN_FLIGHT: Plan = {
  name: READ_IN_FLIGHT,
  inFlight: 64,
  count: 4_000,
  timesOf: ({ replies, elapsedMs }) => replies.map(() => elapsedMs / replies.length),
};

async function measure(bench: Bench, path: string, plan: Plan, bare: readonly BareProgram[]): Promise<Result> {
  const contenders = [
    ...unpausedContenders(bench, {
      ...plan,
      by: BY,
      calls: (calls) => [calls.read(path)],
      holds: (texts) => texts.every(isWhole),
    }),
    ...bare.map((program) => unpausedBeside(bench, plan, program)),
  ];
  return { workload: plan.name, cells: await interleave(contenders, bench.scale({ full: SMALL_ROUNDS, quick: 5 })) };
}

/** As an agent calls: everybody's processor is asleep by then, and its waking is part of the time. */
async function paused(bench: Bench, path: string, bare: readonly BareProgram[]): Promise<Result> {
  const [rounds, tries, warmUps] = [5, 60, 0];
  const before = () => sleep(PAUSE_MS);
  const servers = toolContenders(bench, {
    ...{ name: READ_PAUSED, by: BY, rounds, tries, warmUps, before },
    calls: (calls) => [calls.read(path)],
    holds: ([text = '']) => isWhole(text),
  });
  const floors = bare.map(
    ({ name, wire, params }): Contender => ({
      name,
      block: () =>
        repeat({ count: tries, budgetMs: BLOCK_BUDGET_MS.full }, async () => {
          await before();
          return (await wire.ask('tools/call', params)).ms;
        }),
    }),
  );
  return { workload: READ_PAUSED, cells: await interleave([...servers, ...floors], rounds) };
}

function isWhole(text: string): boolean {
  return text.includes(nameIn(1)) && text.includes(nameIn(LINES));
}

interface BareProgram {
  readonly name: string;
  readonly wire: Wire;
  readonly params: string;
}

/** The least that a call can take here, and a call that reads. */
function openBare(path: string): BareProgram[] {
  const params = JSON.stringify({ arguments: { path } });
  const open = (program: string) =>
    openWire({ command: process.execPath, args: [join(repository, 'bench', `${program}.mjs`)] });
  return [
    { name: 'an echo in Node', wire: open('echo'), params },
    { name: 'open, stat, read, close in Node', wire: open('small-read'), params },
  ];
}
