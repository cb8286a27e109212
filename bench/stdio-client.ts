/** A client without any SDK: JSON lines to a server's stdin, answers by id from its stdout. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface BenchClient {
  request(method: string, params: object): Promise<unknown>;
  call(tool: string, args: object): Promise<unknown>;
  close(): Promise<void>;
  readonly process: ChildProcess;
}

export async function openBenchClient(command: string, args: readonly string[]): Promise<BenchClient> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let nextId = 1;
  let chunks: string[] = [];
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (chunk: string) => {
    const pieces = chunk.split('\n');
    for (const [at, piece] of pieces.entries()) {
      chunks.push(piece);
      if (at < pieces.length - 1) {
        settle(chunks.join(''));
        chunks = [];
      }
    }
  });
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the server ended'));
  });

  function settle(line: string): void {
    const message = JSON.parse(line) as { id?: number; result?: unknown; error?: { message: string } };
    const waiter = waiting.get(message.id ?? -1);
    waiting.delete(message.id ?? -1);
    if (message.error) waiter?.reject(new Error(message.error.message));
    else waiter?.resolve(message.result);
  }
  function request(method: string, params: object): Promise<unknown> {
    const id = nextId++;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'tenon-bench', version: '1.0.0' },
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    request,
    async call(name, args_) {
      const result = (await request('tools/call', { name, arguments: args_ })) as {
        content: { text: string }[];
        isError?: boolean;
      };
      if (result.isError) throw new Error(result.content[0]?.text);
      return JSON.parse(result.content[0]?.text ?? '');
    },
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.stdin.end();
      }),
    process: child,
  };
}
