/** A client of `codex app-server`: requests and answers as lines of JSON, and answers to what the server asks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { CodexHome } from './codex-home';
import { killGroup } from './run';

export interface AppServer {
  request<T>(method: string, params?: object): Promise<T>;
  /** What the server told with this method, once it has told what matches; sooner or later does not matter. */
  told(method: string, matches?: (params: Params) => boolean): Promise<Params>;
  /** All that went over the line so far, in its order. */
  readonly frames: readonly Frame[];
  /** Ends when the server has ended, by itself or because it was told. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

export interface Frame {
  readonly from: 'client' | 'server';
  readonly frame: object;
}

export interface ServerRequest {
  readonly method: string;
  readonly params: Params;
}

/** No answer leaves the server waiting. */
export type Answer = (request: ServerRequest) => object | undefined | Promise<object>;

type Params = Record<string, unknown>;

interface Line {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const ANSWER_LIMIT_MS = 60_000;

export async function startAppServer(
  { command, env }: Pick<CodexHome, 'command' | 'env'>,
  answer: Answer,
): Promise<AppServer> {
  const [program, launcher] = command;
  const child = spawn(program, [launcher, 'app-server'], { stdio: ['pipe', 'pipe', 'pipe'], env, detached: true });
  const ended = once(child, 'exit');
  const waiting = new Map<number, (line: Line) => void>();
  const frames: Frame[] = [];
  const listeners = new Set<() => void>();
  const send = (frame: object) => {
    frames.push({ from: 'client', frame });
    child.stdin.write(`${JSON.stringify(frame)}\n`);
  };
  let lastId = 0;
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  createInterface({ input: child.stdout }).on('line', async (text) => {
    const line = JSON.parse(text) as Line;
    frames.push({ from: 'server', frame: line });
    for (const listen of [...listeners]) listen();
    if (line.id === undefined) return;
    if (line.method === undefined) return waiting.get(line.id)?.(line);
    const result = await answer({ method: line.method, params: line.params ?? {} });
    if (result) send({ id: line.id, result });
  });

  const limited = async <T>(
    what: string,
    start: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
  ) => {
    let limit: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      limit = setTimeout(() => reject(new Error(`no ${what}: ${errors}`)), ANSWER_LIMIT_MS);
    });
    return Promise.race([new Promise<T>(start), late]).finally(() => clearTimeout(limit));
  };

  const request = <T>(method: string, params: object = {}) =>
    limited<T>(`answer to ${method}`, (resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, ({ error, result }) => {
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
    frames,
    told: (method, matches = () => true) =>
      limited(method, (resolve) => {
        const look = () => {
          const found = frames.find(({ from, frame }) => from === 'server' && isTelling(frame, method, matches));
          if (!found) return;
          listeners.delete(look);
          resolve((found.frame as Line).params ?? {});
        };
        listeners.add(look);
        look();
      }),
    ended,
    async stop() {
      child.stdin.end();
      const limit = setTimeout(() => killGroup(child.pid), 5000);
      await ended;
      clearTimeout(limit);
    },
  };
}

function isTelling(frame: Line, method: string, matches: (params: Params) => boolean): boolean {
  return frame.method === method && matches(frame.params ?? {});
}
