/** A client without any SDK: JSON lines on stdio. The clock stops at the newline of an answer, before it is parsed. */
import { spawn } from 'node:child_process';
import type { Launch } from '../versus/server';
import { cleanEnvironment } from './clean-environment';
import { onLines } from './lines-of-bytes';

export interface Reply {
  /** From the write of the request to the newline of the answer. */
  readonly ms: number;
  readonly line: Buffer;
}

export interface Wire {
  readonly pid: number;
  /** `params` is JSON already, so that making it is not timed. */
  ask(method: string, params: string, options?: { limitMs?: number }): Promise<Reply>;
  /** The same without a promise: requests sent from `done` leave together with those of the same chunk of answers. */
  send(method: string, params: string, done: (reply: Reply) => void): void;
  notify(method: string): void;
  /** Lets the server end by itself, and ends it where it does not. */
  close(): Promise<void>;
  kill(): Promise<void>;
}

/** The server ended, or did not answer in time. */
export class NoAnswer extends Error {}

const CALL_LIMIT_MS = 60_000;
const CLOSE_LIMIT_MS = 3_000;

interface Waiting {
  readonly started: number;
  readonly done: (reply: Reply) => void;
  readonly fail: ((error: NoAnswer) => void) | undefined;
}

/** Starts the server; nothing is asked yet. */
export function openWire({ command, args, env }: Launch): Wire {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], env: { ...cleanEnvironment(), ...env } });
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let isEnded = false;
  child.stdin.on('error', () => {}); // A server that died does not read any more.
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  }).then(() => {
    isEnded = true;
    for (const { fail } of waiting.values()) fail?.(new NoAnswer('server died'));
  });
  // Three listeners in this order: what is asked while answers are handed out leaves in one write.
  child.stdout.on('data', () => child.stdin.cork());
  onLines(child.stdout, (line, at) => {
    const id = idOf(line);
    const waiter = waiting.get(id ?? -1);
    waiting.delete(id ?? -1);
    waiter?.done({ ms: at - waiter.started, line });
  });
  child.stdout.on('data', () => child.stdin.uncork());

  function send(method: string, params: string, done: (reply: Reply) => void, fail?: Waiting['fail']): number {
    const id = nextId++;
    const text = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`;
    waiting.set(id, { started: performance.now(), done, fail });
    child.stdin.write(text);
    return id;
  }

  function ask(method: string, params: string, { limitMs = CALL_LIMIT_MS } = {}): Promise<Reply> {
    if (isEnded) return Promise.reject(new NoAnswer('server died'));
    return new Promise<Reply>((resolve, reject) => {
      const limit = setTimeout(() => {
        waiting.delete(id);
        reject(new NoAnswer(`over ${Math.round(limitMs / 1000)} s`));
      }, limitMs);
      const settle = (end: () => void) => {
        clearTimeout(limit);
        end();
      };
      const id = send(
        method,
        params,
        (reply) => settle(() => resolve(reply)),
        (error) => settle(() => reject(error)),
      );
    });
  }

  return {
    pid: child.pid ?? -1,
    ask,
    send,
    notify: (method) => child.stdin.write(`{"jsonrpc":"2.0","method":"${method}"}\n`),
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
}

const OPENING = JSON.stringify({
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'tenon-bench', version: '1.0.0' },
});

/** The opening of a session, as every client does it; after it, tools can be called. */
export async function shakeHands(wire: Wire): Promise<void> {
  await wire.ask('initialize', OPENING);
  wire.notify('notifications/initialized');
  await wire.ask('tools/list', '{}');
}

/** Without parsing: the outermost id stands at the very beginning or at the very end of what servers write. */
function idOf(line: Buffer): number | undefined {
  const head = /^\{"jsonrpc":"2\.0","id":(\d+)[,}]/.exec(line.toString('latin1', 0, 64));
  const found = head ?? /"id":(\d+)\}$/.exec(line.toString('latin1', Math.max(0, line.length - 32)));
  if (found) return Number(found[1]);
  try {
    return (JSON.parse(line.toString()) as { id?: number }).id;
  } catch {
    return undefined; // Not ours: some servers print other things too.
  }
}
