/**
 * One unix socket per process, in the lock directory. That it answers proves that its owner lives, and an open
 * connection to it is a place in the owner's waiting room: a waiter sends `<key> <waiting since>\n` and hears back, at
 * release, after how many milliseconds to try. When the owner dies the kernel closes the connection.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { codeOf } from './lock-directory';
import type { Patience } from './lock-patience';

export interface WaitingRoom {
  listen(socketPath: string): Promise<void>;
  /** Whoever asks for this key from now on waits. */
  hold(key: string): void;
  /** Sends everyone who waits for this key to try, the longest waiting first; gives their number. */
  release(key: string): number;
  isEmptyHanded(): boolean;
  /** Milliseconds since somebody last asked for any key. */
  sinceLastRequest(): number;
}

const MAX_REQUEST_CHARS = 200;

interface Waiter {
  readonly connection: Socket;
  readonly since: number;
}

export function createWaitingRoom(): WaitingRoom {
  const held = new Map<string, Waiter[]>();
  let server: Server | undefined;
  let requestedAt = Number.NEGATIVE_INFINITY;

  function greet(connection: Socket): void {
    let request = '';
    connection.unref();
    connection.setEncoding('latin1');
    connection.on('error', () => connection.destroy());
    connection.on('data', (chunk) => {
      request += chunk;
      if (request.length > MAX_REQUEST_CHARS) connection.destroy();
      else if (request.endsWith('\n')) seat(connection, request.trim());
    });
  }

  function seat(connection: Socket, request: string): void {
    const [key = '', since] = request.split(' ');
    requestedAt = performance.now();
    const waiters = held.get(key);
    if (waiters) waiters.push({ connection, since: Number(since) });
    else answer(connection, 0);
  }

  return {
    async listen(socketPath) {
      // Closing unlinks the old path, so it comes before the new socket takes that path.
      server?.close();
      server = await listenAt(socketPath, greet);
    },
    hold(key) {
      held.set(key, []);
    },
    release(key) {
      const waiters = (held.get(key) ?? []).filter(({ connection }) => !connection.destroyed);
      held.delete(key);
      waiters.sort((a, b) => a.since - b.since);
      for (const [rank, { connection }] of waiters.entries()) answer(connection, rank);
      return waiters.length;
    },
    isEmptyHanded: () => held.size === 0,
    sinceLastRequest: () => performance.now() - requestedAt,
  };
}

export type HolderState =
  | { readonly state: 'alive'; readonly retryAfterMs: number }
  /** Nobody listens at the socket, and nobody ever will again: the name of an owner is used once. */
  | { readonly state: 'dead' }
  /** There is no socket: the owner is gone, or somebody cleaned up under a living one. */
  | { readonly state: 'missing' };

// After an answer that says nothing, such as a full backlog.
const RETRY_MS = 20;

/** Waits until the holder releases the key, or is known to be gone. */
export function askHolder(
  socketPath: string,
  request: { key: string; since: number },
  patience: Patience,
): Promise<HolderState> {
  return patience.wait((done) => {
    let heard: HolderState = { state: 'alive', retryAfterMs: 0 };
    const connection = connect(socketPath);
    connection.setEncoding('latin1');
    connection.on('connect', () => connection.write(`${request.key} ${request.since}\n`));
    connection.on('data', (rank) => {
      heard = { state: 'alive', retryAfterMs: Number(rank) };
      connection.destroy();
    });
    connection.on('error', (error) => {
      heard = stateFrom(codeOf(error));
    });
    connection.on('close', () => done(heard));
    return () => connection.destroy();
  });
}

/** Looks, without asking for anything and without keeping the process alive, whether an owner's socket is dead. */
export function isDeadSocket(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socketPath);
    connection.unref();
    connection.on('connect', () => connection.destroy());
    connection.on('error', (error) => resolve(stateFrom(codeOf(error)).state === 'dead'));
    connection.on('close', () => resolve(false));
  });
}

function stateFrom(code: string | undefined): HolderState {
  if (code === 'ECONNREFUSED') return { state: 'dead' };
  if (code === 'ENOENT') return { state: 'missing' };
  return { state: 'alive', retryAfterMs: code === 'ECONNRESET' ? 0 : RETRY_MS };
}

function answer(connection: Socket, rank: number): void {
  connection.end(String(rank), () => connection.destroy());
}

function listenAt(socketPath: string, greet: (connection: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(greet);
    // Stays on for good: a failed accept must not end the process. After the promise has settled it does nothing.
    server.on('error', reject);
    server.listen(socketPath, () => resolve(server));
    server.unref();
  });
}
