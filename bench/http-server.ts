/** Servers that listen on loopback, started and ended. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { copy } from '../versus/servers/tenon';
import { cleanEnvironment } from './clean-environment';

export interface HttpServer {
  readonly url: string;
  readonly token?: string;
  readonly pid: number;
  stop(): unknown;
}

const TOKEN = 'bench-token-0123456789abcdef';

/** `flags`: of Node. */
export function startOurs(root: string, { flags = [], env = {} }: OurOptions = {}): Promise<HttpServer> {
  return startHttpServer([...flags, copy, 'serve', '--http', '127.0.0.1:0', '--root', root], { token: TOKEN, env });
}

interface OurOptions {
  readonly flags?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Waits for the address that the server prints. */
export async function startHttpServer(
  args: readonly string[],
  { token, env = {} }: { token?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<HttpServer> {
  const environment = { ...cleanEnvironment(), ...env, ...(token && { TENON_TOKEN: token }) };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env: environment });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${args[0]} did not start`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /http:\/\/[^\s"]+\/mcp/.exec(line);
      if (address) resolve(address[0]);
    });
  });
  return { url, pid: child.pid ?? -1, stop: () => child.kill('SIGKILL'), ...(token && { token }) };
}
