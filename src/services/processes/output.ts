/**
 * Keeps the beginning of a stream of any length in bounded memory: the first bytes up to the cap, the number of all,
 * and a short tail from which the last line can be told. What is over the cap is cut so that no character is halved;
 * a line at the end, not counted in the cap, says how many bytes are missing.
 */
import type { Readable } from 'node:stream';
import { cutUtf8, shorten } from '../../text/truncate';
import { createFloodWatch } from '../flood';

const TAIL_BYTES = 1024;
const MAX_LINE_CHARACTERS = 200;

export interface Outputs {
  readonly stdout: Capture;
  readonly stderr: Capture;
  /** The last line of the one that spoke last. */
  lastLine(): string;
}

/** Reads both outputs of a process to their ends, from now on. */
export function captureOutputs(from: { stdout: Readable; stderr: Readable }, maxBytes: number): Outputs {
  const stdout = createCapture(maxBytes);
  const stderr = createCapture(maxBytes);
  let latest = stdout;
  listen(from.stdout, stdout);
  listen(from.stderr, stderr);
  return { stdout, stderr, lastLine: () => latest.lastLine() };

  function listen(stream: Readable, capture: Capture): void {
    const watchFlood = createFloodWatch();
    stream.on('data', (chunk: Buffer) => {
      latest = capture;
      capture.add(chunk);
      watchFlood(chunk.length);
    });
    // A broken pipe ends the output like any other end.
    stream.on('error', () => {});
  }
}

export interface Capture {
  add(chunk: Uint8Array): void;
  /** Bytes seen so far. */
  total(): number;
  /** The last line with anything in it, without control characters. */
  lastLine(): string;
  finish(): { text: string; truncated: boolean };
}

export function createCapture(maxBytes: number): Capture {
  // Made at the first byte: most streams stay empty.
  let kept: Buffer | undefined;
  let total = 0;
  let tail: Buffer = Buffer.alloc(0);
  return {
    add(chunk) {
      kept ??= Buffer.allocUnsafeSlow(maxBytes);
      if (total < kept.length) kept.set(chunk.subarray(0, kept.length - total), total);
      total += chunk.length;
      tail =
        chunk.length >= TAIL_BYTES
          ? Buffer.from(chunk.subarray(-TAIL_BYTES))
          : Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
    },
    total: () => total,
    lastLine: () => lastLineOf(tail),
    finish() {
      const bytes = (kept ?? Buffer.alloc(0)).subarray(0, total);
      if (total <= maxBytes) return { text: bytes.toString('utf8'), truncated: false };
      const length = cutUtf8(bytes, maxBytes);
      const text = bytes.toString('utf8', 0, length);
      const newline = text.endsWith('\n') ? '' : '\n';
      return { text: `${text}${newline}[… ${total - length} more bytes dropped]`, truncated: true };
    },
  };
}

function lastLineOf(tail: Buffer): string {
  const text = tail
    .toString('utf8')
    .replace(/^\uFFFD+/, '')
    .replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '')
    .replace(/[^\P{Cc}\r\n]/gu, '');
  const line = text
    .split(/[\r\n]/)
    .filter((part) => part.trim() !== '')
    .at(-1);
  return shorten((line ?? '').trim(), MAX_LINE_CHARACTERS);
}
