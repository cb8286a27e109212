/** The wire by hand: JSON lines to and from the built binary, with nothing in between. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { binary } from '../harness/binary';

export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { code: number; message: string; data?: unknown };
}

export interface LineClient {
  readonly pid: number;
  /** Writes as it is; resolves when the pipe has taken it. */
  write(text: string | Uint8Array): Promise<void>;
  send(message: object): Promise<void>;
  /** Sends a request and waits for the answer that carries its id. */
  request(method: string, params?: object, id?: string | number): Promise<Message>;
  /** The first message, from now or before, that fits and that nobody has taken yet. */
  receive(fits?: (message: Message) => boolean): Promise<Message>;
  /** Asks for the oldest revision but one, or for another; without capabilities unless given. */
  initialize(options?: { version?: string; capabilities?: object }): Promise<Message>;
  /** Everything that was ever written to stdout. */
  stdout(): string;
  stderr(): string;
  /** Stops reading: the server's next write meets a closed pipe. */
  closeOutput(): void;
  /** Ends stdin and waits for the process to go. */
  end(): Promise<Exit>;
  kill(signal: NodeJS.Signals): Promise<Exit>;
  readonly exited: Promise<Exit>;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface LineOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Leaves stderr unread, as some clients do. */
  readonly unreadErrors?: boolean;
  /** A program, with its arguments, in front of the command. */
  readonly under?: readonly string[];
}

const PREFIX = 'io.modelcontextprotocol/';

/** What every request of the newest revision carries. */
export function modernMeta(capabilities: object = {}): Record<string, unknown> {
  return {
    [`${PREFIX}protocolVersion`]: '2026-07-28',
    [`${PREFIX}clientCapabilities`]: capabilities,
    [`${PREFIX}clientInfo`]: { name: 'by-hand', version: '1' },
  };
}

export function openLines(args: readonly string[], options: LineOptions = {}): LineClient {
  const [command = process.execPath, ...rest] = [...(options.under ?? []), process.execPath, binary, ...args];
  const child = spawn(command, rest, { cwd: options.cwd, env: { ...process.env, ...options.env } });
  const taken: Message[] = [];
  const waiting: { fits: (message: Message) => boolean; take: (message: Message) => void }[] = [];
  const output: string[] = [];
  const errors: string[] = [];
  let lastId = 0;
  child.stdin.on('error', () => {}); // A server that is gone is what some tests are about.
  if (!options.unreadErrors) child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    output.push(line);
    const message = JSON.parse(line) as Message;
    const at = waiting.findIndex(({ fits }) => fits(message));
    if (at === -1) taken.push(message);
    else waiting.splice(at, 1)[0]?.take(message);
  });
  const exited = new Promise<Exit>((resolve) =>
    child.once(options.unreadErrors ? 'exit' : 'close', (code, signal) => resolve({ code, signal })),
  );

  const client: LineClient = {
    pid: child.pid ?? 0,
    write: (text) =>
      new Promise((resolve, reject) => child.stdin.write(text, (error) => (error ? reject(error) : resolve()))),
    send: (message) => client.write(`${JSON.stringify(message)}\n`),
    async request(method, params = {}, id) {
      lastId += 1;
      const ours = id ?? lastId;
      await client.send({ jsonrpc: '2.0', id: ours, method, params });
      return client.receive((message) => message.id === ours && message.method === undefined);
    },
    receive(fits = () => true) {
      const at = taken.findIndex(fits);
      if (at !== -1) return Promise.resolve(taken.splice(at, 1)[0] as Message);
      return new Promise((take) => waiting.push({ fits, take }));
    },
    async initialize({ version = '2025-06-18', capabilities = {} } = {}) {
      const clientInfo = { name: 'by-hand', version: '1' };
      const answer = await client.request('initialize', { protocolVersion: version, capabilities, clientInfo });
      await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return answer;
    },
    stdout: () => output.join('\n'),
    stderr: () => errors.join(''),
    closeOutput: () => child.stdout.destroy(),
    end() {
      child.stdin.end();
      return exited;
    },
    kill(signal) {
      child.kill(signal);
      return exited;
    },
    exited,
  };
  return client;
}
