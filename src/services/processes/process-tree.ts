/**
 * Ends everything that a command started. The command leads its own group (it was spawned detached):
 * 1. nothing alive: done;
 * 2. SIGTERM to the group and to the descendants that left it, and a short grace;
 * 3. SIGKILL to the same, again and again until none is left or the time for it is up.
 *
 * Linux finds those who left the group through /proc (see descendants). macOS and other POSIX systems reach the group
 * only. Windows: `taskkill /T /F`, which reaches children as long as their parents are there; no grace.
 *
 * Trees that still run when the server exits are ended by an exit handler, installed with the first tree.
 */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runAtOnce, runGently, type Steps } from '../../text/steps';
import { type CommandIdentity, findDescendants, startedTicks } from './descendants';
import { signal, signalAll } from './signals';

const TERM_GRACE_MS = 300;
const KILL_LIMIT_MS = 400;
const SHORT_PAUSE_MS = 5;
const LONG_PAUSE_MS = 40;
/** How long to wait before each further look when the first was not sure. */
const SECOND_LOOKS_MS = [2, 4, 8, 16];
const EXIT_ROUNDS = 3;
const TASKKILL_LIMIT_MS = 1000;

export interface ProcessTree {
  readonly command: CommandIdentity;
  /** Resolves when nothing of the tree is alive any more, or cannot be ended. Never throws. */
  end(): Promise<void>;
  /** In place of `end`, where nothing of the tree can be alive any more. */
  forget(): void;
}

const running = new Set<CommandIdentity>();
let exitHandled = false;

/** To be called in the same turn as the spawn, while the process cannot yet have been reaped. */
export function trackTree(pid: number, marker: string): ProcessTree {
  const command = { pid, marker, startedTicks: process.platform === 'linux' ? startedTicks(pid) : 0 };
  if (!exitHandled) process.on('exit', endAllTrees);
  exitHandled = true;
  running.add(command);
  return {
    command,
    async end() {
      await (process.platform === 'win32' ? taskkill(pid) : endPosixTree(command));
      running.delete(command);
    },
    forget: () => void running.delete(command),
  };
}

/** Ends all trees at once, without grace and without waiting. Safe in an exit handler. */
export function endAllTrees(): void {
  for (const command of running) {
    if (process.platform === 'win32') {
      spawnSync(taskkillProgram(), taskkillArgs(command.pid), { windowsHide: true, timeout: TASKKILL_LIMIT_MS });
    } else {
      for (let round = 0; round < EXIT_ROUNDS; round++) runAtOnce(killLiving(command));
    }
  }
  running.clear();
}

async function endPosixTree(command: CommandIdentity): Promise<void> {
  let left = await look(command);
  await runGently(signalAll(left, 'SIGTERM'));
  const killFrom = performance.now() + TERM_GRACE_MS;
  for (let pauseMs = SHORT_PAUSE_MS; left.length > 0; pauseMs = Math.min(2 * pauseMs, LONG_PAUSE_MS)) {
    const late = performance.now() - killFrom;
    if (late > KILL_LIMIT_MS) return;
    if (late > 0) await runGently(signalAll(left, 'SIGKILL'));
    await sleep(late > 0 ? SHORT_PAUSE_MS : Math.min(pauseMs, SHORT_PAUSE_MS - late));
    left = await look(command);
  }
}

/** What is alive, in the numbers of kill(2): a negative one is a group. Looks again when it cannot be sure. */
async function look(command: CommandIdentity): Promise<readonly number[]> {
  for (const pauseMs of SECOND_LOOKS_MS) {
    const { targets, unsure } = await runGently(living(command));
    if (targets.length > 0 || !unsure) return targets;
    await sleep(pauseMs);
  }
  return (await runGently(living(command))).targets;
}

function* living(command: CommandIdentity): Steps<{ targets: readonly number[]; unsure: boolean }> {
  const found = process.platform === 'linux' ? yield* findDescendants(command) : undefined;
  if (found === undefined) return { targets: signal(-command.pid, 0) ? [-command.pid] : [], unsure: false };
  // The group goes first and in one stroke, so that none of its members can fork past the signal.
  return { targets: found.inGroup ? [-command.pid, ...found.strays] : found.strays, unsure: found.unsure };
}

function* killLiving(command: CommandIdentity): Steps<void> {
  const { targets } = yield* living(command);
  yield* signalAll(targets, 'SIGKILL');
}

async function taskkill(pid: number): Promise<void> {
  const child = spawn(taskkillProgram(), taskkillArgs(pid), { stdio: 'ignore', windowsHide: true });
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  await Promise.race([ended, sleep(TASKKILL_LIMIT_MS)]);
}

function taskkillProgram(): string {
  return join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe');
}

function taskkillArgs(pid: number): string[] {
  return ['/pid', String(pid), '/T', '/F'];
}
