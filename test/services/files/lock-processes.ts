import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

export interface Worker {
  readonly child: ChildProcess;
  /** Every line the worker has said so far. */
  readonly said: string[];
  hears(line: string): Promise<void>;
  /** Resolves with the exit code, or null after a kill. */
  readonly ended: Promise<number | null>;
}

export type StartWorker = (task: 'count' | 'append' | 'hold' | 'once', ...args: string[]) => Worker;

/** Bundles the worker once, into a directory of its own. */
export async function prepareWorkers(directory: string): Promise<StartWorker> {
  const outfile = join(directory, 'lock-worker.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'lock-worker.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
  return (task, ...args) =>
    watch(spawn(process.execPath, [outfile, task, ...args], { stdio: ['pipe', 'pipe', 'inherit'] }));
}

/** Short, because the path of a socket has to fit below it. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'tenon-lock-'));
}

function watch(child: ChildProcess): Worker {
  const said: string[] = [];
  const lines = child.stdout ? createInterface({ input: child.stdout }) : undefined;
  lines?.on('line', (line) => said.push(line));
  return {
    child,
    said,
    async hears(line) {
      while (!said.includes(line)) await once(lines ?? child, 'line');
    },
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
}
