/** Compiles a small C program, once for each version of its source. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../test/harness/binary';
import { makeCache } from './places';

/** The path of the program; undefined where there is no gcc, or it cannot make this program here. */
export async function compile(name: string, folder = 'versus'): Promise<string | undefined> {
  const source = join(repository, folder, `${name}.c`);
  const digest = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 12);
  const program = join(makeCache('native'), `${name}-${digest}`);
  if (existsSync(program)) return program;
  const unfinished = `${program}.${process.pid}`;
  try {
    await promisify(execFile)('gcc', ['-O2', '-o', unfinished, source]);
  } catch {
    return undefined;
  }
  renameSync(unfinished, program);
  return program;
}
