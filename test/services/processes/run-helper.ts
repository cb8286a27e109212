/** Runs commands as the server does, in a directory of its own, with `sh` allowed too. */
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallContext, CommandOutcome, JailedPath } from '../../../src/contract/ports';
import { createAllowlist } from '../../../src/services/processes/allowlist';
import { createCommands } from '../../../src/services/processes/commands';
import { MARKER_VARIABLE } from '../../../src/services/processes/environment';

/** An answer comes about a second after the end at the latest; the rest is for a busy machine. */
export const MOST_AFTER_MS = 1500;

export interface Bench {
  readonly directory: string;
  run(command: string, args: readonly string[], options?: RunOptions): Promise<CommandOutcome>;
  sh(script: string, options?: RunOptions): Promise<CommandOutcome>;
  dispose(): void;
}

export interface RunOptions {
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  readonly signal?: AbortSignal;
  readonly progress?: CallContext['progress'];
  readonly serverEnvironment?: NodeJS.ProcessEnv;
}

export function makeBench(): Bench {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'processes-')));
  const allowlist = createAllowlist({ roots: [directory], extra: ['sh', 'no-such-program'] });
  const run: Bench['run'] = (command, args, options = {}) => {
    const { serverEnvironment = process.env, signal, progress } = options;
    const commands = createCommands({
      allowlist,
      serverEnvironment,
      withDirectory: (_path, use) => use({ enter: directory, real: directory }),
    });
    const { timeoutMs = 15_000, maxOutputBytes = 65_536 } = options;
    return commands.run(
      { command, args, cwd: { shown: '.' } as JailedPath, timeoutMs, maxOutputBytes },
      { signal: signal ?? new AbortController().signal, progress: progress ?? (() => {}) },
    );
  };
  return {
    directory,
    run,
    sh: (script, options) => run('sh', ['-c', script], options),
    dispose: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** The command lines of living processes that work in this directory, or were started by a command that did. */
export function survivors(directory: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^[0-9]+$/.test(pid)) return [];
    const environ = read(`/proc/${pid}/environ`).split('\0');
    const marked = environ.some((entry) => entry.startsWith(`${MARKER_VARIABLE}=`));
    const ours = (marked && environ.includes(`PWD=${directory}`)) || workingDirectory(pid) === directory;
    return ours ? [read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')] : [];
  });
}

function workingDirectory(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

export async function timed<T>(action: () => Promise<T>): Promise<{ value: T; elapsedMs: number }> {
  const started = performance.now();
  const value = await action();
  return { value, elapsedMs: performance.now() - started };
}
