/**
 * One structured line per call: time, client, tool, status, error code, duration. Never arguments, contents or
 * output. pino is loaded with the first line, so that it costs nothing at start.
 */
import type { Logger } from 'pino';
import type { Observer } from '../contract/call';

/** What waits for a reader or for the disk; further lines are dropped. */
const MAX_PENDING_BYTES = 65_536;

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

export interface Log {
  readonly observer: Observer;
  error(message: string): void;
  warn(message: string): void;
}

export function createLog(options: { level: LogLevel; file?: string | undefined }): Log {
  let opened: Logger | undefined;
  const log = () => {
    opened ??= openLog(options);
    return opened;
  };
  const isSilent = options.level === 'silent';
  return {
    error: (message) => void (isSilent || log().error(message)),
    warn: (message) => void (isSilent || log().warn(message)),
    observer: {
      settled(report) {
        // After the answer, for which the client waits.
        if (!isSilent) setImmediate(() => log()[report.status === 'bug' ? 'error' : 'info'](report));
      },
      bug(id, thrown) {
        if (isSilent) return;
        const stack = thrown instanceof Error ? thrown.stack : String(thrown);
        log().error({ id, stack }, 'internal error');
      },
    },
  };
}

function openLog({ level, file }: { level: LogLevel; file?: string | undefined }): Logger {
  const { pino } = require('pino') as typeof import('pino');
  const destination = pino.destination({
    // Node makes a pipe non-blocking when it opens `process.stderr`: whoever does not read it must not stop the server.
    dest: file ?? process.stderr.fd,
    // Synchronous: a line that was begun is out before the process can end.
    sync: true,
    retryEAGAIN: () => false,
    maxLength: MAX_PENDING_BYTES,
  });
  // A full disk or pipe costs lines, never a call.
  destination.on('error', () => {});
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
