/**
 * The lock between processes on Windows, where no directory can be renamed onto another. Whoever listens on the named
 * pipe of a key holds it; the system frees the name when its owner ends. A waiter connects and stays until the
 * connection closes.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { codeOf } from './lock-directory';
import type { Patience } from './lock-patience';
import type { ProcessLock } from './process-lock';

const RETRY_MS = 5;

export function createPipeLock(nameOf = (key: string) => `\\\\.\\pipe\\tenon-${key}`): ProcessLock {
  return {
    async acquire(key, patience) {
      for (;;) {
        const waiters = new Set<Socket>();
        const server = await listenAlone(nameOf(key), waiters);
        if (server) return () => close(server, waiters);
        await untilClosed(nameOf(key), patience);
      }
    },
  };
}

/** Gives nothing when somebody else listens there. */
function listenAlone(name: string, waiters: Set<Socket>): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((waiter) => {
      waiter.unref();
      waiters.add(waiter);
      waiter.on('error', () => waiter.destroy());
      waiter.on('close', () => waiters.delete(waiter));
      waiter.resume();
    });
    server.on('error', (error) => {
      if (codeOf(error) === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen({ path: name, exclusive: true }, () => resolve(server));
    server.unref();
  });
}

async function untilClosed(name: string, patience: Patience): Promise<void> {
  const failed = await patience.wait<boolean>((done) => {
    const connection = connect(name);
    connection.resume();
    connection.on('error', () => connection.destroy());
    connection.on('close', (hadError) => done(hadError));
    return () => connection.destroy();
  });
  if (failed) await patience.pause(RETRY_MS);
}

async function close(server: Server, waiters: Set<Socket>): Promise<{ awaited: boolean }> {
  const awaited = waiters.size > 0;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    for (const waiter of waiters) waiter.destroy();
  });
  return { awaited };
}
