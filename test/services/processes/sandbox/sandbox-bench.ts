/** Runs commands in a sandbox as the server does, with a workspace and a home of their own. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandOutcome, JailedPath } from '../../../../src/contract/ports';
import { createAllowlist } from '../../../../src/services/processes/allowlist';
import { createCommands } from '../../../../src/services/processes/commands';
import { runProgram } from '../../../../src/services/processes/runner';
import { createSandbox, type Sandbox } from '../../../../src/services/processes/sandbox/sandbox';

/** Whether a sandbox can be made here. */
export const hasBubblewrap = process.platform === 'linux' && (await canSandbox());

export interface SandboxBench {
  readonly root: string;
  readonly home: string;
  run(command: string, args: readonly string[], options?: BenchOptions): Promise<CommandOutcome>;
  sh(script: string, options?: BenchOptions & { args?: readonly string[] }): Promise<CommandOutcome>;
  /** Runs a file that no allowlist has seen. */
  start(file: string, options?: { directory?: string }): Promise<CommandOutcome>;
  /** The port of a listener on loopback. */
  listen(): Promise<number>;
  clear(): void;
  dispose(): void;
}

export interface BenchOptions {
  readonly network?: 'on' | 'off';
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export function makeSandboxBench(): SandboxBench {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandboxed-')));
  const [root, home] = [join(folder, 'workspace'), join(folder, 'home')];
  for (const path of [root, home]) mkdirSync(path);
  writeFileSync(join(home, 'secret'), 'secret');
  const allowlist = createAllowlist({ roots: [root], extra: ['sh', 'git'] });
  const server = { ...process.env, HOME: home, XDG_CACHE_HOME: '' };
  const make = (network: 'on' | 'off') =>
    createSandbox({ mode: 'required', network, roots: [root], allowlist, server, home });
  const sandboxes: Record<'on' | 'off', Sandbox> = { on: make('on'), off: make('off') };
  const servers: Server[] = [];

  const run: SandboxBench['run'] = (command, args, options = {}) => {
    const { network = 'on', timeoutMs = 20_000, signal = new AbortController().signal } = options;
    const commands = createCommands({
      allowlist,
      serverEnvironment: server,
      sandbox: sandboxes[network],
      withDirectory: (_path, use) => use({ enter: root, real: root }),
    });
    const cwd = { shown: '.' } as JailedPath;
    return commands.run({ command, args, cwd, timeoutMs, maxOutputBytes: 65_536 }, { signal, progress: () => {} });
  };
  return {
    root,
    home,
    run,
    sh: (script, { args = [], ...options } = {}) => run('sh', ['-c', script, ...args], options),
    async start(file, { directory = root } = {}) {
      const program = {
        file,
        command: 'tool',
        allowed: ['tool'],
        args: [],
        cwd: root,
        env: { PATH: '/usr/bin' },
        marker: 'none',
        timeoutMs: 5000,
        maxOutputBytes: 1024,
        signal: new AbortController().signal,
        onProgress: () => {},
      };
      return runProgram(await sandboxes.on.wrap(program, directory));
    },
    async listen() {
      const listener = createServer((socket) => socket.destroy());
      servers.push(listener);
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
      const address = listener.address();
      return typeof address === 'object' && address ? address.port : 0;
    },
    clear() {
      for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
    },
    dispose() {
      for (const listener of servers) listener.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function canSandbox(): Promise<boolean> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-try-')));
  try {
    const allowlist = createAllowlist({ roots: [root] });
    const sandbox = createSandbox({ mode: 'auto', network: 'on', roots: [root], allowlist, home: root, server: {} });
    return (await sandbox.describe()).state === 'bubblewrap';
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
