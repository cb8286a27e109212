/** What the contract tests of run_command share. */
import { expect } from 'vitest';
import { failure } from './workspace-envelope';

export const DEFAULT_COMMANDS = ['node', 'npm', 'npx', 'pytest', 'python3', 'tsc'];

export const QUIET = {
  cwd: '.',
  exitCode: 0,
  signal: null,
  timedOut: false,
  stdout: '',
  stderr: '',
  stdoutTruncated: false,
  stderrTruncated: false,
};

export const notAllowed = (command: string, allowed = DEFAULT_COMMANDS) =>
  failure('COMMAND_NOT_ALLOWED', `Command not allowed: ${command}. Allowed: ${allowed.join(', ')}`, {
    kind: 'command_not_allowed',
    command,
    allowed,
  });

export const text = (matching: RegExp) => expect.stringMatching(matching) as unknown as string;

/** A program that says its number in a file, keeps a child beside it, and would run for minutes. */
export const LASTING = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 300000)'], { detached: true, stdio: 'ignore' });
  require('node:fs').writeFileSync('pids.json', JSON.stringify([process.pid, child.pid]));
  setTimeout(() => {}, 300000);`;
