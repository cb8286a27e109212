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
  if (code === 'E2BIG') {
    return new Fault('invalid_argument', {
      parameter: 'args',
      problem: 'longer than the system allows (E2BIG)',
      expected: 'fewer or shorter arguments',
    });
  }
  return new Fault('system_error', { path: command, problem: `cannot start a process (${code})` });
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : String(error);
}
