/** Whole files written: 1 KB, 1 MB and 10 MB, synced and left to the system. */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { timeOfEach, unpausedContenders } from '../back-to-back';
import { writtenInC } from '../bare-programs';
import { COMMANDER, FILESYSTEM_MCP, OFFICIAL, OURS, OURS_FAST } from '../contestants';
import { interleave } from '../interleave';
import type { Result } from '../results';
import { linesFor, linesOf, MB } from '../stage';
import { SMALL_ROUNDS, type ToolWorkload, toolContenders } from '../tool-workload';
import type { Bench, Family } from '../workload';

export const WRITE_1KB = 'write 1 KB';
export const WRITE_PAUSED = 'write 1 KB, after a pause of 2 ms';
export const WRITE_1MB = 'write 1 MB';
export const WRITE_10MB = 'write 10 MB';
export const IN_C = 'write + fsync in C';

const BY = [OURS, OURS_FAST, OFFICIAL, COMMANDER, FILESYSTEM_MCP];
const SMALL_BYTES = 1_000;
/** So many small ones, each written once in a block: when the clock has stopped, the bytes of all are looked at. */
const FILES = 60;
const PAUSE_MS = 2;

export const writes: Family = {
  name: 'writes',
  workloads: [WRITE_1KB, WRITE_PAUSED, WRITE_1MB, WRITE_10MB],
  async run(bench) {
    const small = [await writeSmall(bench)];
    if (!bench.isQuick)
      small.push(
        await write(bench, {
          name: WRITE_PAUSED,
          bytes: SMALL_BYTES,
          tries: FILES,
          rounds: 5,
          warmUps: 0,
          before: () => sleep(PAUSE_MS),
        }),
      );
    return [
      ...small,
      await write(bench, {
        name: WRITE_1MB,
        bytes: MB,
        tries: bench.scale({ full: 12, quick: 6 }),
        rounds: bench.scale({ full: SMALL_ROUNDS, quick: 5 }),
        warmUps: 6,
      }),
      await write(bench, {
        name: WRITE_10MB,
        bytes: 10 * MB,
        tries: bench.scale({ full: 3, quick: 1 }),
        rounds: 5,
        warmUps: 1,
      }),
    ];
  },
};

/** Everybody writes the same files, with a text that is new in each block. */
async function writeSmall(bench: Bench): Promise<Result> {
  const [theirs, inC] = [bench.stage.at('written-'), bench.stage.at('written-in-c-')];
  let text = linesOf(linesFor(SMALL_BYTES));
  let blocks = 0;
  const files = (prefix: string) => Array.from({ length: FILES }, (_, at) => `${prefix}${at}`);
  for (const path of [theirs, inC].flatMap(files)) writeFileSync(path, text);
  const servers = unpausedContenders(bench, {
    by: BY,
    inFlight: 1,
    count: FILES,
    timesOf: timeOfEach,
    calls(calls) {
      text = linesOf(linesFor(SMALL_BYTES), ++blocks);
      return files(theirs).map((path) => calls.write(path, text));
    },
    holds: (answers) =>
      files(theirs)
        .slice(0, answers.length)
        .every((path) => readFileSync(path, 'utf8') === text),
  });
  const bare = writtenInC(IN_C, { prefix: inC, files: FILES, bytes: text.length, tries: FILES });
  const cells = await interleave([...servers, bare], bench.scale({ full: SMALL_ROUNDS, quick: 5 }));
  return { workload: WRITE_1KB, cells };
}

interface Sized {
  readonly name: string;
  readonly bytes: number;
  readonly tries: number;
  readonly rounds: number;
  readonly warmUps: number;
  before?(): unknown;
}

async function write(bench: Bench, { bytes, ...rest }: Sized): Promise<Result> {
  const path = bench.stage.at(`written-of-${bytes}`);
  const lines = linesFor(bytes);
  const contents = [linesOf(lines, 1), linesOf(lines, 2)];
  const content = (at: number) => contents[at % contents.length] ?? '';
  const workload: ToolWorkload = {
    ...rest,
    by: BY,
    calls: (calls, at) => [calls.write(path, content(at))],
    holds: (_, at) => readFileSync(path, 'utf8') === content(at),
  };
  const prefix = bench.stage.at(`written-in-c-of-${bytes}-`);
  const bare = writtenInC(IN_C, { prefix, files: 1, bytes: content(0).length, tries: rest.tries });
  const cells = await interleave([...toolContenders(bench, workload), bare], workload.rounds);
  return { workload: workload.name, cells };
}
