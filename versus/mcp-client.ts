/** A client without any SDK: JSON lines to a server's stdin, answers by id from its stdout. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Launch } from './server';

export interface McpClient {
  readonly process: ChildProcessWithoutNullStreams;
  request(method: string, params: object, options?: { limitMs?: number }): Promise<unknown>;
  /** Lets the server end by itself, and ends it where it does not. */
  close(): Promise<void>;
  /** kill -9, and waits for the end. */
  kill(): Promise<void>;
}

/** The server ended, or did not answer in time. */
export class NoAnswer extends Error {}
/** The server answered with a JSON-RPC error. */
export class RpcError extends Error {}

const START_LIMIT_MS = 60_000;
const CALL_LIMIT_MS = 60_000;
const CLOSE_LIMIT_MS = 3_000;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  readonly limit: NodeJS.Timeout;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { message: string; code: number };
}

interface Question {
  readonly message: string;
  readonly requestedSchema: { readonly properties?: { readonly choice?: { readonly enum?: readonly string[] } } };
}

/** Where a descriptor lies that a careless parent left open. */
export const LEAKED_DESCRIPTOR = 20;

export async function openMcpClient({ command, args, env, leaked }: Launch): Promise<McpClient> {
  const leak = leaked === undefined ? [] : [...Array(LEAKED_DESCRIPTOR - 3).fill('ignore'), leaked];
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe', ...leak],
    env: { ...process.env, ...env },
  }) as ChildProcessWithoutNullStreams;
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let isEnded = false;
  let said = '';
  child.stdin.on('error', () => {}); // A server that was killed does not read any more.
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2_000);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  }).then(() => {
    isEnded = true;
    for (const { reject, limit } of waiting.values()) {
      clearTimeout(limit);
      reject(new NoAnswer(`the server ended: ${said}`));
    }
  });
  splitLines(child, (line) => receive(JSON.parse(line) as Message));

  function receive(message: Message): void {
    if (message.method !== undefined) {
      answerQuestion(message);
      return;
    }
    const waiter = waiting.get(message.id ?? -1);
    waiting.delete(message.id ?? -1);
    clearTimeout(waiter?.limit);
    if (message.error) waiter?.reject(new RpcError(`${message.error.code} ${message.error.message}`));
    else waiter?.resolve(message.result);
  }

  function answerQuestion({ id, method, params }: Message): void {
    if (id === undefined) return;
    if (method === 'elicitation/create') send({ id, result: decide(params as Question) });
    else if (method === 'ping') send({ id, result: {} });
    else send({ id, error: { code: -32601, message: 'Method not found' } });
  }

  function send(message: object): void {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  function request(method: string, params: object, { limitMs = CALL_LIMIT_MS } = {}): Promise<unknown> {
    const id = nextId++;
    return new Promise((resolve, reject) => {
      if (isEnded) return reject(new NoAnswer(`the server has ended: ${said}`));
      const limit = setTimeout(() => {
        waiting.delete(id);
        reject(new NoAnswer(`no answer to ${method} within ${limitMs} ms: ${said}`));
      }, limitMs);
      waiting.set(id, { resolve, reject, limit });
      send({ id, method, params });
    });
  }

  const capabilities = { elicitation: { form: {} } };
  const clientInfo = { name: 'tenon-versus', version: '1.0.0' };
  const client: McpClient = {
    process: child,
    request,
    async close() {
      child.stdin.end();
      const limit = setTimeout(() => child.kill('SIGKILL'), CLOSE_LIMIT_MS);
      await ended;
      clearTimeout(limit);
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
  try {
    const params = { protocolVersion: '2025-06-18', capabilities, clientInfo };
    await request('initialize', params, { limitMs: START_LIMIT_MS });
  } catch (error) {
    await client.kill();
    throw error;
  }
  send({ method: 'notifications/initialized' });
  return client;
}

function splitLines(child: ChildProcessWithoutNullStreams, onLine: (line: string) => void): void {
  let pieces: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const [first = '', ...more] = chunk.split('\n');
    pieces.push(first);
    for (const piece of more) {
      const line = pieces.join('');
      pieces = [piece];
      if (line.startsWith('{')) onLine(line);
    }
  });
}

/** Yes to the deletion that a trial asked for; no to everything else, above all to wider access. */
function decide({ message, requestedSchema }: Question): object {
  if (!/^Permanently delete /.test(message)) return { action: 'decline' };
  const choice = requestedSchema.properties?.choice?.enum?.find((value) => /^delete/i.test(value));
  return { action: 'accept', content: choice === undefined ? { confirm: true } : { choice } };
}
