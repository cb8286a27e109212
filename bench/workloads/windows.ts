/** 100 lines out of 100 MB: in the middle for the first time and again, and at the end. */
import { spawned } from '../bare-programs';
import { COMMANDER, FILESYSTEM_MCP, OFFICIAL, OURS } from '../contestants';
import { type Contender, interleave } from '../interleave';
import { type Result, Setback } from '../results';
import { openSession } from '../sessions';
import { LINE_BYTES, nameIn } from '../stage';
import { runToolWorkload, SMALL_ROUNDS, SMALL_WARM_UPS, type ToolWorkload, TRY_LIMIT_MS } from '../tool-workload';
import type { Bench, Family } from '../workload';

export const WINDOW_FIRST = '100 lines in the middle of 100 MB, first time';
export const WINDOW_AGAIN = '100 lines in the middle of 100 MB, again';
export const WINDOW_END = '100 lines at the end of 100 MB';
export const SED = 'sed -n';

const TOTAL = 100_000_000 / LINE_BYTES;
const COUNT = 100;
const FIRST = TOTAL / 2;
const LAST = FIRST + COUNT - 1;

export const windows: Family = {
  name: 'windows',
  workloads: [WINDOW_FIRST, WINDOW_AGAIN, WINDOW_END],
  async run(bench) {
    const path = bench.stage.fileOfLines(TOTAL);
    const rounds = 5;
    const read = (rest: Pick<ToolWorkload, 'name' | 'rounds' | 'calls' | 'holds' | 'by'>) =>
      runToolWorkload(bench, { tries: 20, warmUps: SMALL_WARM_UPS, ...rest });
    return [
      await firstTime(bench, path, rounds),
      await read({
        name: WINDOW_AGAIN,
        rounds,
        by: [OURS, COMMANDER, FILESYSTEM_MCP, ...(bench.isQuick ? [] : [OFFICIAL])],
        calls: ({ window }) => window && [window(path, { first: FIRST, count: COUNT })],
        holds: ([text = '']) => holds(text, FIRST, LAST),
      }),
      await read({
        name: WINDOW_END,
        rounds: bench.scale({ full: SMALL_ROUNDS, quick: rounds }),
        by: [OURS, OFFICIAL, COMMANDER, FILESYSTEM_MCP],
        calls: ({ tail }) => tail && [tail(path, { total: TOTAL, count: COUNT })],
        holds: ([text = '']) => holds(text, TOTAL - COUNT + 1, TOTAL),
      }),
    ];
  },
};

/** A fresh server each time, so that nothing can be remembered; beside it what a person would type. */
async function firstTime(bench: Bench, path: string, rounds: number): Promise<Result> {
  const ours: Contender = {
    name: OURS,
    async block() {
      const { wire, calls, call } = await openSession(OURS, bench.stage.root);
      try {
        await wire.ask('ping', '{}');
        const window = calls.window?.(path, { first: FIRST, count: COUNT });
        if (!window) throw new Setback('no tool');
        const { ms, text } = await call(window, { limitMs: TRY_LIMIT_MS });
        if (!holds(text, FIRST, LAST)) throw new Setback('wrong answer');
        return [ms];
      } finally {
        await wire.kill();
      }
    },
  };
  const sed = spawned(SED, { tries: 5 }, 'sed', '-n', `${FIRST},${LAST}p`, path);
  return { workload: WINDOW_FIRST, cells: await interleave([ours, sed], rounds) };
}

function holds(text: string, first: number, last: number): boolean {
  return text.includes(nameIn(first)) && text.includes(nameIn(last));
}
