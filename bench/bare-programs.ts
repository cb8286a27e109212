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

/** From spawn to close, output read. */
export function spawned(name: string, tries: number, command: string, ...args: string[]): Contender {
  const stopwatch = join(repository, 'bench', 'stopwatch.mjs');
  return {
    name,
    async block() {
      const env = cleanEnvironment();
      const timing = run(process.execPath, [stopwatch, String(tries), command, ...args], { env });
      const { stdout } = await timing.catch(() => {
        throw new Setback('not installed');
      });
      return JSON.parse(stdout) as number[];
    },
  };
}

/** `write` and `fsync` of so many bytes by a C program, timed inside it. */
export function writtenInC(name: string, tries: number, path: string, bytes: number): Contender {
  return {
    name,
    async block() {
      const program = await compile('write-fsync', 'bench');
      if (program === undefined) throw new Setback('no gcc');
      const { stdout } = await run(program, [path, String(bytes), String(tries)]);
      return stdout.trim().split('\n').map(Number);
    },
  };
}
