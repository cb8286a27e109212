/** One `codex app-server` child: started, greeted, and ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { CodexError, type CodexHandlers, connectCodex, type Params } from './connection';
import type { CodexCommand } from './find-codex';

export interface AppServer {
  request<T>(method: string, params?: object, limitMs?: number): Promise<T>;
  /** Resolves with the reason when the child has gone. */
  readonly ended: Promise<string>;
  /** Closes its stdin, at which it exits, and ends it if it does not. */
  stop(): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

export interface AppServerParts {
  readonly command: CodexCommand;
  readonly environment: NodeJS.ProcessEnv;
  /** Who we are; Codex writes it down with each thread. */
  readonly name: string;
  readonly version: string;
  readonly handlers: CodexHandlers;
  /** Ends the child if it has not answered the greeting yet. */
  readonly signal: AbortSignal;
}

const REQUEST_LIMIT_MS = 60_000;
const PATIENCE_MS = 2000;
const MAX_WORDS = 500;

export async function startAppServer(parts: AppServerParts): Promise<AppServer> {
  const [program, ...args] = parts.command;
  // A group of its own: what it started goes with it.
  const child = spawn(program, [...args, 'app-server'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: childEnvironment(parts.environment),
    detached: process.platform !== 'win32',
  });
  const ended = endOf(child);
  // Kept for the person, who may need it to mend a config; never logged, since it can quote a prompt.
  let lastWords = '';
  child.stderr.setEncoding('utf8').on('data', (words: string) => {
    lastWords = words.trim().split('\n').at(-1)?.slice(0, MAX_WORDS) ?? lastWords;
  });
  const connection = connectCodex(child.stdout, child.stdin, parts.handlers);
  void ended.then((why) => connection.close(why));
  const request = <T>(method: string, params: Params | object = {}, limitMs = REQUEST_LIMIT_MS) =>
    connection.request<T>(method, params, limitMs);
  const server: AppServer = {
    request,
    ended,
    kill: () => killGroup(child),
    async stop() {
      child.stdin.end();
      const limit = setTimeout(() => killGroup(child), PATIENCE_MS);
      await ended;
      clearTimeout(limit);
    },
  };
  parts.signal.addEventListener('abort', server.kill);
  await greet(server, parts).catch((error: CodexError) => {
    server.kill();
    throw new CodexError(error.code, lastWords === '' ? error.message : `${error.message}. It said: ${lastWords}`);
  });
  parts.signal.removeEventListener('abort', server.kill);
  connection.notify('initialized');
  return server;
}

async function greet(server: AppServer, { name, version }: AppServerParts): Promise<void> {
  await server.request('initialize', {
    clientInfo: { name, title: 'Tenon', version },
    capabilities: { experimentalApi: true, requestAttestation: false },
  });
}

/** Ours, without what is only for us: a token of ours must not reach a model's shell. */
function childEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith('TENON_'));
  return { ...Object.fromEntries(kept), RUST_BACKTRACE: '0' };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`Codex could not be started: ${error.message}`));
    child.once('exit', (code, signal) =>
      resolve(signal ? `Codex was ended by ${signal}` : `Codex exited with code ${code}`),
    );
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has gone already.
  }
}
