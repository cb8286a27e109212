/**
 * One structured line per call: time, client, tool, status, error code, duration. Never arguments, contents or
 * output. pino is loaded with the first line, so that it costs nothing at start.
 */
import type { Logger } from 'pino';
import type { CallReport, Observer } from '../contract/call';
import { ownTurn } from '../text/yield-to-loop';

/** What waits for a reader or for the disk; further lines are dropped. */
const MAX_PENDING_BYTES = 65_536;

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

export interface Log {
  readonly observer: Observer;
  error(message: string): void;
  warn(message: string): void;
}

export function createLog(options: { level: LogLevel; file?: string | undefined }): Log {
  let opened: OpenLog | undefined;
  const log = () => {
    opened ??= openLog(options);
    return opened;
  };
  const isSilent = options.level === 'silent';
  const write = (level: 'error' | 'warn' | 'info', line: object | string, message?: string) => {
    if (isSilent) return;
    if (typeof line === 'string') log().logger[level](line);
    else log().logger[level](line, message);
  };
  const waiting: CallReport[] = [];
  /** After the answers, for which clients wait; the calls of one turn of the loop share a write. */
  const writeReports = () => {
    for (const report of waiting) write(report.status === 'bug' ? 'error' : 'info', report);
    waiting.length = 0;
    log().flush();
  };
  // To load it and to open it takes a while each, and the answer goes out before.
  const soon = (work: () => void) => (opened ? setImmediate(work) : ownTurn().then(loadPino).then(ownTurn).then(work));
  return {
    error(message) {
      write('error', message);
      opened?.flush();
    },
    warn(message) {
      write('warn', message);
      opened?.flush();
    },
    observer: {
      settled(report) {
        if (isSilent) return;
        if (waiting.length === 0) soon(writeReports);
        waiting.push(report);
      },
      bug(id, thrown) {
        const stack = thrown instanceof Error ? thrown.stack : String(thrown);
        write('error', { id, stack }, 'internal error');
        opened?.flush();
      },
    },
  };
}

interface OpenLog {
  readonly logger: Logger;
  /** Writes the lines that were made since the last time. */
  flush(): void;
}

function openLog({ level, file }: { level: LogLevel; file?: string | undefined }): OpenLog {
  const { pino } = loadPino();
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
  let lines = '';
  const gather = {
    write(line: string) {
      lines += line;
    },
  };
  return {
    logger: pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, gather),
    flush() {
      if (lines !== '') destination.write(lines);
      lines = '';
    },
  };
}

function loadPino() {
  return require('pino') as typeof import('pino');
}
