/**
 * Runs allowed commands inside the roots: the name leads to a program, which waits where many run already, the directory
 * is held while the command runs, the environment is built anew for each call, the sandbox wraps the program, and the
 * runner does the rest.
 */
import type { CallContext, CommandOutcome, CommandRequest, Commands, JailedPath } from '../../contract/ports';
import type { Allowlist, ResolvedProgram } from './allowlist';
import { commandEnvironment } from './environment';
import { cancelled, PROGRESS_EVERY_MS, type Program, type ProgramProgress, runProgram } from './runner';
import type { Sandbox } from './sandbox/sandbox';
import { refuseArguments } from './spawn-fault';
import { createStartQueue, type StartQueue } from './start-queue';

/** A directory that is held open, so that nobody can put another in its place. */
export interface HeldDirectory {
  /** The path that leads into it, whatever happens to its name. */
  readonly enter: string;
  /** Its absolute path, as a command should call it. */
  readonly real: string;
}

/** Holds a directory during `use`. Throws the faults of a directory that is missing, outside, or a file. */
export type WithDirectory = <T>(path: JailedPath, use: (directory: HeldDirectory) => Promise<T>) => Promise<T>;

export interface CommandsOptions {
  readonly allowlist: Allowlist;
  readonly withDirectory: WithDirectory;
  /** Where the few kept variables come from; the server's own environment by default. */
  readonly serverEnvironment?: NodeJS.ProcessEnv;
  /** In which the commands run; without one they run as they are. */
  readonly sandbox?: Pick<Sandbox, 'wrap' | 'warning'>;
}

export function createCommands(options: CommandsOptions): Commands {
  const { allowlist, withDirectory, sandbox } = options;
  const queue = createStartQueue();
  return {
    async run(request: CommandRequest, call: CallContext): Promise<CommandOutcome> {
      const resolved = allowlist.resolve(request.command);
      const { leave, waitedMs } = await waitForTurn(queue, call);
      try {
        return await withDirectory(request.cwd, async (directory) => {
          const program = programFor(request, { ...options, call, resolved, directory, waitedMs });
          if (!sandbox) return runProgram(program);
          const outcome = await runProgram(await sandbox.wrap(program, directory.real));
          const warning = await sandbox.warning();
          return warning === undefined ? outcome : { ...outcome, sandbox: warning };
        });
      } finally {
        leave();
      }
    },
  };
}

/** Whoever asked hears that the call is alive. */
async function waitForTurn(queue: StartQueue, call: CallContext): Promise<{ leave: () => void; waitedMs: number }> {
  const began = performance.now();
  const waitedMs = () => performance.now() - began;
  const message = 'waiting to start: other commands keep the processors busy';
  const timer = setInterval(() => call.progress({ elapsedMs: waitedMs(), message }), PROGRESS_EVERY_MS);
  const leave = await queue.enter(call.signal).finally(() => clearInterval(timer));
  if (!call.signal.aborted) return { leave, waitedMs: waitedMs() };
  leave();
  throw cancelled(call.signal);
}

function programFor(
  { command, args, timeoutMs, maxOutputBytes }: CommandRequest,
  given: CommandsOptions & { call: CallContext; resolved: ResolvedProgram; directory: HeldDirectory; waitedMs: number },
): Program {
  const { allowlist, serverEnvironment: server = process.env, call, resolved, directory, waitedMs } = given;
  refuseArguments(args);
  const { variables, marker } = commandEnvironment({
    server,
    path: allowlist.searchPath(),
    directory: directory.real,
  });
  return {
    file: resolved.file,
    command,
    allowed: allowlist.names,
    args: [...resolved.prefixArgs, ...args],
    cwd: directory.enter,
    env: variables,
    marker,
    timeoutMs,
    maxOutputBytes,
    signal: call.signal,
    // A client may take what goes back for a mistake: the wait counts too.
    onProgress: (progress) => call.progress({ elapsedMs: waitedMs + progress.elapsedMs, message: describe(progress) }),
  };
}

function describe({ elapsedMs, stdoutBytes, stderrBytes, lastLine }: ProgramProgress): string {
  const seconds = Math.round(elapsedMs / 1000);
  const counts = `${seconds} s, stdout ${grouped(stdoutBytes)} B, stderr ${grouped(stderrBytes)} B`;
  return lastLine === '' ? counts : `${counts}: ${lastLine}`;
}

function grouped(count: number): string {
  // Not toLocaleString: the tables of languages take 27 ms to load.
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
