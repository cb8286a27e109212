import * as z from 'zod';
import { defineTool } from '../../contract/contract';
import { textUpTo } from '../../contract/parameters';

const MAX_ARG_CHARACTERS = 400;
const MAX_ARGS = 64;
const MIN_TIMEOUT_MS = 100;
const MAX_TIMEOUT_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 15_000;
const MIN_OUTPUT_BYTES = 1024;
const MAX_OUTPUT_BYTES = 262_144;
const DEFAULT_OUTPUT_BYTES = 65_536;

export const runCommand = defineTool(
  {
    name: 'run_command',
    title: 'Run command',
    description:
      'Run an allowed program (node, npm, npx, python3, pytest, tsc by default) in the workspace, without a shell; a non-zero exit or a time-out is a normal result',
    effect: 'run',
    input: () =>
      z.strictObject({
        command: z.string().min(1),
        args: z.array(textUpTo(MAX_ARG_CHARACTERS)).max(MAX_ARGS).default([]),
        cwd: z.string().default('.'),
        timeoutMs: z.int().min(MIN_TIMEOUT_MS).max(MAX_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS),
        maxOutputBytes: z.int().min(MIN_OUTPUT_BYTES).max(MAX_OUTPUT_BYTES).default(DEFAULT_OUTPUT_BYTES),
      }),
    output: () =>
      z.object({
        command: z.string(),
        args: z.array(z.string()),
        cwd: z.string(),
        exitCode: z.int().nullable(),
        signal: z.string().nullable(),
        timedOut: z.boolean(),
        stdout: z.string(),
        stderr: z.string(),
        stdoutTruncated: z.boolean(),
        stderrTruncated: z.boolean(),
      }),
    errors: {
      command_not_allowed: {
        code: 'COMMAND_NOT_ALLOWED',
        message: 'Command not allowed: {command}. Allowed: {allowed}',
        when: 'The command is not on the allowlist by its exact name',
      },
      command_not_installed: {
        code: 'COMMAND_NOT_ALLOWED',
        message: 'Cannot run {command}: {problem}. A tool that the project itself has installed runs with npx',
        when: 'The command is allowed, but no program of that name is installed outside the workspace',
      },
      protected_name: {
        code: 'COMMAND_NOT_ALLOWED',
        message:
          '{command} was ended: {path} is protected and may not be made or replaced while a command runs; it was {fate}',
        when: 'In the sandbox, the command made or replaced a name that makes other programs run something',
      },
      sandbox_unavailable: {
        code: 'COMMAND_NOT_ALLOWED',
        message: 'Commands run only in a sandbox here, and there is none: {problem}. {remedy}',
        when: 'The server was started with --sandbox required, and no sandbox works',
      },
      directory_not_found: { code: 'NOT_FOUND', message: 'cwd not found: {path}', when: 'There is no such cwd' },
      not_a_directory: {
        code: 'NOT_DIRECTORY',
        message: 'cwd {path} is not a directory but {found}',
        when: 'cwd is not a directory',
      },
    },
    constraints: [
      'Runs a program of the allowlist by its exact name, resolved to a program outside the workspace; never a shell.',
      'cwd stays inside the workspace. In the sandbox, so does what the program writes; without one, what the program touches is not confined, and the result says so in `sandbox`.',
      'Stdin is empty; the environment is a short allowlist, without any token of the server.',
      'The whole process tree ends with the call; a time-out ends it too.',
      'Of many commands at once, those beyond three for two processors wait while the processors are busy; the time-out counts from the start.',
      'stdout and stderr are each cut at maxOutputBytes, at a character, and marked.',
    ],
    examples: [
      {
        title: 'Run a line of JavaScript',
        input: { command: 'node', args: ['-p', '6 * 7'] },
        output: {
          command: 'node',
          args: ['-p', '6 * 7'],
          cwd: '.',
          exitCode: 0,
          signal: null,
          timedOut: false,
          stdout: '42\n',
          stderr: '',
          stdoutTruncated: false,
          stderrTruncated: false,
        },
      },
    ],
  },
  async ({ command, args, cwd, timeoutMs, maxOutputBytes }, { commands, paths, call }) => {
    const directory = paths.admit(cwd);
    const outcome = await commands.run({ command, args, cwd: directory, timeoutMs, maxOutputBytes }, call);
    return { command, args, cwd: directory.shown, ...outcome };
  },
);
