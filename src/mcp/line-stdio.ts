/**
 * JSON-RPC over stdio, one message per line. Chunks are kept in a list and scanned once, so that a large message
 * costs linear time. A line that is no message, or is too long, is answered with an error, and the next line is read
 * as if nothing had happened. When the client stops reading, we stop reading too.
 */
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { restoreErrorCode } from './error-codes';
import { type Line, LineWriter } from './line-writer';
import { requestIdIn } from './request-id';
import { createWakefulness } from './wakefulness';

export const MAX_MESSAGE_BYTES = 64 * 1_048_576;
const NEWLINE = 0x0a;
/** How much of a dropped line is kept at either end, to find the request's id in it. */
const KEPT_BYTES = 4096;

interface DroppedLine {
  readonly head: string;
  readonly tail: string;
  readonly bytes: number;
}

export class LineStdio implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** Resolves when the client is gone. */
  readonly ended: Promise<void>;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #writer: LineWriter;
  readonly #maxBytes: number;
  readonly #wakefulness = createWakefulness();
  #end: () => void = () => {};
  #chunks: Buffer[] = [];
  #bytes = 0;
  #dropped: DroppedLine | undefined;
  #isClosed = false;

  constructor(input: Readable, output: Writable, options: { maxBytes?: number } = {}) {
    this.#input = input;
    this.#output = output;
    this.#writer = new LineWriter(output, { onSlow: () => this.#input.pause(), onFree: () => this.#listen() });
    this.#maxBytes = options.maxBytes ?? MAX_MESSAGE_BYTES;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#input.on('end', () => void this.close());
    this.#input.on('close', () => void this.close());
    this.#input.on('error', (error) => this.onerror?.(error));
    // The client is gone: nothing more can be said.
    this.#output.on('error', () => {
      this.#writer.drop();
      void this.close();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.write(JSON.stringify(restoreErrorCode(message)));
  }

  /** Sends a message that is text already. */
  write(message: Line): void {
    if (this.#isClosed) return;
    this.#writer.write(message);
    this.#wakefulness.said();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#writer.flush();
    this.#input.pause();
    this.onclose?.();
    this.#end();
  }

  #listen(): void {
    if (!this.#isClosed) this.#input.resume();
  }

  #take(chunk: Buffer): void {
    this.#wakefulness.heard();
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#finishLine();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#chunks.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) this.#drop();
  }

  /** Forgets the line so far, except for what may name its id. */
  #drop(): DroppedLine {
    const line = Buffer.concat(this.#chunks);
    const { head = line.toString('latin1', 0, KEPT_BYTES), tail = '', bytes = 0 } = this.#dropped ?? {};
    const end = (tail + line.toString('latin1', Math.max(0, line.length - KEPT_BYTES))).slice(-KEPT_BYTES);
    this.#dropped = { head, tail: end, bytes: bytes + this.#bytes };
    this.#chunks = [];
    this.#bytes = 0;
    return this.#dropped;
  }

  #finishLine(): void {
    if (this.#dropped) this.#refuseOversized(this.#drop());
    else if (this.#bytes > 0) this.#deliver(joined(this.#chunks).toString('utf8'));
    this.#chunks = [];
    this.#bytes = 0;
    this.#dropped = undefined;
  }

  #refuseOversized({ head, tail, bytes }: DroppedLine): void {
    const message = `Message too large: ${bytes} bytes; at most ${this.#maxBytes} are accepted`;
    this.#refuse(-32600, message, requestIdIn(head, tail));
  }

  #deliver(line: string): void {
    if (line.trim() === '') return;
    const message = parse(line);
    if (message === undefined) this.#refuse(-32700, 'Parse error: the line is not valid JSON', null);
    else if (typeof message !== 'object' || message === null || Array.isArray(message))
      this.#refuse(-32600, 'Invalid request: expected one JSON-RPC object per line, no batches', null);
    else if (!isMessage(message)) this.#refuse(-32600, 'Invalid request: not a JSON-RPC 2.0 message', idOf(message));
    else this.onmessage?.(message);
  }

  #refuse(code: number, message: string, id: string | number | null): void {
    this.onerror?.(new Error(message));
    this.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  }
}

/** Most lines come in one piece. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return only && chunks.length === 1 ? only : Buffer.concat(chunks);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isMessage(message: object): message is JSONRPCMessage {
  const { jsonrpc, method, id } = message as Record<string, unknown>;
  const hasId = typeof id === 'string' || Number.isInteger(id);
  if (jsonrpc !== '2.0') return false;
  if (typeof method === 'string') return hasId || id === undefined;
  return hasId && ('result' in message || 'error' in message);
}

function idOf(message: object): string | number | null {
  const { id } = message as { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
