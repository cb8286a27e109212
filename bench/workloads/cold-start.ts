/** From the start of the process to the answer of `tools/list`, and the memory it has then. */
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { cleanEnvironment } from '../clean-environment';
import {
  COMMANDER,
  contestant,
  FILESYSTEM_MCP,
  maxRoundsOf,
  OFFICIAL,
  OFFICIAL_24,
  OURS,
  OURS_24,
  pathOfNode24,
} from '../contestants';
import { type Contender, interleave } from '../interleave';
import { cpuMs, memoryMb } from '../process-stats';
import type { Cell, Result } from '../results';
import { median } from '../stats';
import { openWire, shakeHands } from '../wire';
import type { Bench, Family } from '../workload';

export const COLD_START = 'cold start to tools/list';
export const MEMORY_AT_START = 'memory after start, MB';
export const BARE_NODE = 'node -e 0';
export const BARE_NODE_24 = 'node -e 0, Node 24';

/** What loads itself after the first answer counts too. */
const SETTLE_MS = 200;
/** The memory is the same each time; waiting for it each time would only take long. */
const ROUNDS_WITH_MEMORY = 3;

interface Spent {
  readonly cpu: number[];
  readonly memory: number[];
}

export const coldStart: Family = {
  name: 'cold-start',
  workloads: [COLD_START, MEMORY_AT_START],
  async run(bench) {
    const names = bench.among([OURS, OFFICIAL, OURS_24, OFFICIAL_24, COMMANDER, FILESYSTEM_MCP]);
    const spent = new Map(names.map((name): [string, Spent] => [name, { cpu: [], memory: [] }]));
    const starters = [...spent].map(([name, log]) => starter(bench, name, log));
    const bare = [bareNode(BARE_NODE, process.execPath), bareNode(BARE_NODE_24, pathOfNode24())];
    const cells = await interleave([...starters, ...bare.flat()], bench.scale({ full: 15, quick: 6 }));
    return [withCpu(cells, spent), { workload: MEMORY_AT_START, cells: memoryCells(spent) }];
  },
};

function starter(bench: Bench, name: string, log: Spent): Contender {
  return {
    name,
    maxRounds: maxRoundsOf(name),
    async block(round) {
      const started = performance.now();
      const wire = openWire(contestant(name).launch(bench.stage.root));
      try {
        await shakeHands(wire);
        const ms = performance.now() - started;
        log.cpu.push(cpuMs(wire.pid));
        if (round < ROUNDS_WITH_MEMORY) await pause(SETTLE_MS);
        if (round < ROUNDS_WITH_MEMORY) log.memory.push(memoryMb(wire.pid));
        return [ms];
      } finally {
        await wire.kill();
      }
    },
  };
}

/** The floor; nothing where that Node.js is not here. */
function bareNode(name: string, node: string): Contender[] {
  const block = () =>
    new Promise<number[]>((resolve, reject) => {
      const started = performance.now();
      const child = spawn(node, ['-e', '0'], { stdio: 'ignore', env: cleanEnvironment() });
      child.once('error', reject);
      child.once('exit', () => resolve([performance.now() - started]));
    });
  return node === '' ? [] : [{ name, block }];
}

function withCpu(cells: Readonly<Record<string, Cell>>, spent: ReadonlyMap<string, Spent>): Result {
  const filled = Object.entries(cells).map(([name, cell]): [string, Cell] => {
    const cpu = spent.get(name)?.cpu ?? [];
    return [name, cpu.length > 0 ? { ...cell, cpuMs: median(cpu) } : cell];
  });
  return { workload: COLD_START, cells: Object.fromEntries(filled) };
}

function memoryCells(spent: ReadonlyMap<string, Spent>): Record<string, Cell> {
  return Object.fromEntries([...spent].map(([name, { memory }]) => [name, { rounds: memory, p50: median(memory) }]));
}
