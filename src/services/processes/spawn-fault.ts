/** What the system says when a program cannot be started, as a fault. */
import { Fault } from '../../contract/fault';

/** The program as the caller named it and as it was found. */
export interface SpawnSubject {
  readonly file: string;
  readonly command: string;
  readonly allowed: readonly string[];
}

const NOT_RUNNABLE: Readonly<Record<string, string>> = {
  ENOENT: 'the program, or the interpreter that it names, is gone',
  EACCES: 'no permission to execute it, or to enter the working directory',
  EPERM: 'no permission to execute it',
  ENOEXEC: 'not a program for this system',
};

export function spawnFault(error: unknown, { file, command, allowed }: SpawnSubject): Fault {
  const code = codeOf(error);
  const notRunnable = NOT_RUNNABLE[code];
  if (notRunnable !== undefined) {
    return new Fault('command_not_installed', {
      command,
      allowed: [...allowed],
      problem: `${notRunnable} (${code}: ${file})`,
    });
  }
  if (code === 'E2BIG') return tooLong();
  return new Fault('system_error', { path: command, problem: `cannot start a process (${code})` });
}

/** More than Linux takes, whatever its limits are set to. */
const MAX_ARGUMENT_CHARACTERS = 6 * 1_048_576;

/** What the system would refuse, told before much is done with it. */
export function refuseArguments(args: readonly string[]): void {
  if (args.reduce((sum, { length }) => sum + length, 0) > MAX_ARGUMENT_CHARACTERS) throw tooLong();
  if (args.some((arg) => arg.includes('\0')))
    throw new Fault('invalid_argument', {
      parameter: 'args',
      problem: 'contains a NUL character',
      expected: 'arguments without NUL characters',
    });
}

function tooLong(): Fault {
  return new Fault('invalid_argument', {
    parameter: 'args',
    problem: 'longer than the system allows (E2BIG)',
    expected: 'fewer or shorter arguments',
  });
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : String(error);
}
