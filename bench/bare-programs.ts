/** What is measured beside the servers: programs that a person would run, as contenders in the same rounds. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../test/harness/binary';
import { compile } from '../versus/native';
import { cleanEnvironment } from './clean-environment';
import type { Contender } from './interleave';
import { Setback } from './results';

const run = promisify(execFile);
/** It is a new program in each block, and compiled as it goes. */
const LIST_WARM_UPS = 30;

interface Spawned {
  readonly tries: number;
  /** Before the first of them, in place of the pause before a block: the program that measures has started by then. */
  readonly pauseMs?: number;
}

/** From spawn to close, output read. */
export function spawned(name: string, { tries, pauseMs = 0 }: Spawned, command: string, ...args: string[]): Contender {
  const timed = timedInNode(name, 'stopwatch.mjs', [String(tries), String(pauseMs), command, ...args]);
  return { ...timed, pausesItself: pauseMs > 0 };
}

/** The names in a directory, and the sizes of the first entries, by a program in Node that does nothing else. */
export function listedInNode(name: string, tries: number, path: string, entries: number): Contender {
  return timedInNode(name, 'names-and-sizes.mjs', [tries, LIST_WARM_UPS, entries].map(String).concat(path));
}

/** A program of the bench that measures, and prints its times. */
function timedInNode(name: string, program: string, args: readonly string[]): Contender {
  return {
    name,
    async block() {
      const script = join(repository, 'bench', program);
      const timing = run(process.execPath, [script, ...args], { env: cleanEnvironment() });
      const { stdout } = await timing.catch(() => {
        throw new Setback('not installed');
      });
      return JSON.parse(stdout) as number[];
    },
  };
}

interface WrittenInC {
  /** Of the paths of so many files, which are written in turn. */
  readonly prefix: string;
  readonly files: number;
  readonly bytes: number;
  readonly tries: number;
}

/** `write` and `fsync` of so many bytes by a C program, timed inside it. */
export function writtenInC(name: string, { prefix, files, bytes, tries }: WrittenInC): Contender {
  return {
    name,
    async block() {
      const program = await compile('write-fsync', 'bench');
      if (program === undefined) throw new Setback('no gcc');
      const { stdout } = await run(program, [prefix, ...[files, bytes, tries].map(String)]);
      return stdout.trim().split('\n').map(Number);
    },
  };
}
