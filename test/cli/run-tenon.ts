/** Runs the built binary as a shell does, and waits for its end. */
import { spawn } from 'node:child_process';
import { binary } from '../harness/binary';

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

export function runTenon(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  return run(process.execPath, [binary, ...args], options);
}

/** The same with a terminal on all three streams, which `script` makes; what the terminal shows is stdout. */
export function runAtTerminal(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const command = [process.execPath, binary, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  return run('script', ['-qec', command, '/dev/null'], options);
}

/** How many times it brought something to disk; undefined where nobody can watch. */
export async function countSyncs(args: readonly string[], options: RunOptions = {}): Promise<number | undefined> {
  const watched = ['-f', '-qq', '-e', 'trace=fsync,fdatasync', process.execPath, binary, ...args];
  const { code, stderr } = await run('strace', watched, options).catch(() => ({ code: null, stderr: '' }));
  return code === 0 ? (stderr.match(/\bf(?:data)?sync\(/g)?.length ?? 0) : undefined;
}

/** Runs it until its output has what is expected, and then ends it. */
export function runUntil(pattern: RegExp, args: readonly string[], { cwd, env }: RunOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [binary, ...args], { cwd, env: { ...cleanEnvironment(), ...env } });
    let output = '';
    const listen = (chunk: unknown) => {
      output += String(chunk);
      if (pattern.test(output)) child.kill('SIGTERM');
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('close', () => (pattern.test(output) ? resolve(output) : reject(new Error(output))));
  });
}

function run(command: string, args: readonly string[], { cwd, env, input = '' }: RunOptions): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: { ...cleanEnvironment(), ...env } });
    const output: string[] = [];
    const errors: string[] = [];
    child.stdout.on('data', (chunk) => output.push(String(chunk)));
    child.stderr.on('data', (chunk) => errors.push(String(chunk)));
    child.once('close', (code) => resolve({ code, stdout: output.join(''), stderr: errors.join('') }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Without the settings of whoever runs the tests. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TENON_'));
  return { ...Object.fromEntries(own), XDG_CONFIG_HOME: '/nonexistent' };
}
