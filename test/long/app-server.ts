/** A client of `codex app-server`: requests and answers as lines of JSON, and answers to what the server asks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { CodexHome } from './codex-home';
import { killGroup } from './run';

export interface AppServer {
  request<T>(method: string, params?: object): Promise<T>;
  stop(): Promise<void>;
}

export interface ServerRequest {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

interface Line {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const ANSWER_LIMIT_MS = 60_000;

export async function startAppServer(
  { command: [program, launcher], env }: CodexHome,
  answer: (request: ServerRequest) => object,
): Promise<AppServer> {
  const child = spawn(program, [launcher, 'app-server'], { stdio: ['pipe', 'pipe', 'pipe'], env, detached: true });
  const waiting = new Map<number, (line: Line) => void>();
  const send = (line: object) => child.stdin.write(`${JSON.stringify(line)}\n`);
  let lastId = 0;
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as Line;
    if (line.id === undefined) return;
    if (line.method === undefined) waiting.get(line.id)?.(line);
    else send({ id: line.id, result: answer({ method: line.method, params: line.params ?? {} }) });
  });

  const request = <T>(method: string, params: object = {}) =>
    new Promise<T>((resolve, reject) => {
      lastId += 1;
      const limit = setTimeout(() => reject(new Error(`no answer to ${method}: ${errors}`)), ANSWER_LIMIT_MS);
      waiting.set(lastId, ({ error, result }) => {
        clearTimeout(limit);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result as T);
      });
      send({ id: lastId, method, params });
    });

  const clientInfo = { name: 'tenon-test', title: 'Tenon test', version: '1.0.0' };
  const capabilities = { experimentalApi: true, requestAttestation: false };
  await request('initialize', { clientInfo, capabilities }).catch((error) => {
    killGroup(child.pid);
    throw error;
  });
  send({ method: 'initialized' });
  return {
    request,
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      const limit = setTimeout(() => killGroup(child.pid), 5000);
      await ended;
      clearTimeout(limit);
    },
  };
}
