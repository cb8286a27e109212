/**
 * The attacker: lets pairs of names change places until it is stopped. A compiled program does it in one step of the
 * kernel each; without a compiler a thread does it by three renames, which is slower and leaves moments without names.
 */
import { spawn } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { compile } from './native';

export type Pair = readonly [string, string];

export interface Attack {
  readonly kind: 'exchange' | 'renames';
  stop(): Promise<void>;
}

export async function startAttack(pairs: readonly Pair[]): Promise<Attack> {
  const program = await compile('attacker');
  return program === undefined ? renameInThread(pairs) : exchange(program, pairs);
}

function exchange(program: string, pairs: readonly Pair[]): Attack {
  const child = spawn(program, pairs.flat(), { stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    kind: 'exchange',
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

const RENAME_FOREVER = `
const { renameSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
const { pairs, flag } = workerData;
const move = (from, to) => { try { renameSync(from, to); } catch {} };
while (Atomics.load(flag, 0) === 0)
  for (const [one, other] of pairs) { move(one, one + '~'); move(other, one); move(one + '~', other); }
`;

function renameInThread(pairs: readonly Pair[]): Attack {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(RENAME_FOREVER, { eval: true, workerData: { pairs, flag } });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return {
    kind: 'renames',
    async stop() {
      Atomics.store(flag, 0, 1);
      await ended;
    },
  };
}
