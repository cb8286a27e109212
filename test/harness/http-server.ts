import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { binary, nodeBinary } from './binary';

export interface HttpServer {
  readonly url: string;
  readonly token: string;
  readonly process: ChildProcess;
  stderr(): string;
  stop(): Promise<void>;
}

const TOKEN = 'test-token-0123456789abcdef';

/** Starts the built binary on a free port of loopback and waits for its address. */
export async function startHttpServer(flags: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<HttpServer> {
  const child = spawn(nodeBinary(), [binary, 'serve', '--http', '127.0.0.1:0', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TENON_TOKEN: TOKEN, ...env },
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /http:\/\/[^\s"]+\/mcp/.exec(line);
      if (address) resolve(address[0]);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${errors}`)));
  });
  return {
    url,
    token: TOKEN,
    process: child,
    stderr: () => errors,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}
