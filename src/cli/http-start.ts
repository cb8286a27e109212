/** What the command line decides about the HTTP door: its token, the words when it cannot open, and when it closes. */
import { randomBytes } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { Settings } from './settings';
import { UsageError } from './usage-error';

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
}

const TOKEN_BYTES = 32;
/** By then, what was running has been cancelled and its processes have ended; nothing may hold the exit up. */
const EXIT_LIMIT_MS = 1800;

export function tokenFor(settings: Settings, { host }: HttpAddress): string {
  if (settings.token !== undefined) return settings.token;
  if (isLoopback(host)) return randomBytes(TOKEN_BYTES).toString('base64url');
  throw new UsageError(
    `${host} can be reached from other machines: set TENON_TOKEN to a token of your own, or serve on 127.0.0.1`,
  );
}

export function listenProblem(error: unknown, { host, port }: HttpAddress): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new UsageError(`Port ${port} on ${host} is in use; choose another with --http HOST:PORT`);
    case 'EACCES':
      return new UsageError(`Port ${port} on ${host} needs privileges; choose one above 1023 with --http HOST:PORT`);
    case 'EADDRNOTAVAIL':
      return new UsageError(`${host} is no address of this machine; choose another with --http HOST:PORT`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UsageError(`The host ${host} is unknown; choose another with --http HOST:PORT`);
    default:
      return error;
  }
}

/** Resolves with the first SIGINT or SIGTERM; a second one, or lingering, ends the process at once. */
export function untilSignalled(): Promise<void> {
  return new Promise((resolve) => {
    let isEnding = false;
    const end = () => {
      if (isEnding) process.exit(0);
      isEnding = true;
      setTimeout(() => process.exit(0), EXIT_LIMIT_MS).unref();
      resolve();
    };
    process.on('SIGINT', end);
    process.on('SIGTERM', end);
  });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
