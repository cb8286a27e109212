/**
 * Runs allowed commands inside the roots: the name leads to a program, the directory is held while the command runs,
 * the environment is built anew for each call, the sandbox wraps the program, and the runner does the rest.
 */
import type { CallContext, CommandOutcome, CommandRequest, Commands, JailedPath } from '../../contract/ports';
import type { Allowlist } from './allowlist';
import { commandEnvironment } from './environment';
import { type Program, type ProgramProgress, runProgram } from './runner';
import type { Sandbox } from './sandbox/sandbox';
import { refuseArguments } from './spawn-fault';

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
  const { allowlist, withDirectory, serverEnvironment = process.env, sandbox } = options;
  return {
    async run(request: CommandRequest, call: CallContext): Promise<CommandOutcome> {
      const { file, prefixArgs } = allowlist.resolve(request.command);
      return withDirectory(request.cwd, async ({ enter, real }) => {
        refuseArguments(request.args);
        const { variables, marker } = commandEnvironment({
          server: serverEnvironment,
          path: allowlist.searchPath(),
          directory: real,
        });
        const program: Program = {
          file,
          command: request.command,
          allowed: allowlist.names,
          args: [...prefixArgs, ...request.args],
          cwd: enter,
          env: variables,
          marker,
          timeoutMs: request.timeoutMs,
          maxOutputBytes: request.maxOutputBytes,
          signal: call.signal,
          onProgress: (progress) => call.progress({ elapsedMs: progress.elapsedMs, message: describe(progress) }),
        };
        if (!sandbox) return runProgram(program);
        const outcome = await runProgram(await sandbox.wrap(program, real));
        const warning = await sandbox.warning();
        return warning === undefined ? outcome : { ...outcome, sandbox: warning };
      });
    },
  };
}

function describe({ elapsedMs, stdoutBytes, stderrBytes, lastLine }: ProgramProgress): string {
  const seconds = Math.round(elapsedMs / 1000);
  const counts = `${seconds} s, stdout ${grouped(stdoutBytes)} B, stderr ${grouped(stderrBytes)} B`;
  return lastLine === '' ? counts : `${counts}: ${lastLine}`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
