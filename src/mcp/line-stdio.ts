/**
 * JSON-RPC over stdio, one message per line. Chunks are scanned once, so that a large message costs linear time. A line
 * that is no message, or is too large, is answered with an error, and the next line is read as if nothing had happened.
 * When the client stops reading, we stop reading too.
 */
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { yieldToLoop } from '../text/yield-to-loop';
import { restoreErrorCode } from './error-codes';
import { IncomingJson, type JsonContent, MAX_MESSAGE_BYTES, type Refused, TOO_MANY_PARTS } from './incoming-json';
import { LineReader } from './line-reader';
import { type Line, LineWriter } from './line-writer';
import type { LongAnswers } from './long-answers';
import { OpenRequests } from './open-requests';
import { requestIdIn } from './request-id';
import { createWakefulness } from './wakefulness';

/** Clients that close the connection wait for two seconds before they kill us. */
const LAST_ANSWERS_MS = 1000;

export class LineStdio implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** The client has said its last word; the answers that it waits for still reach it. */
  onend?: () => void;
  /** Resolves when the client is gone. */
  readonly ended: Promise<void>;

  readonly #longAnswers: Pick<LongAnswers, 'fill'>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #reader: LineReader;
  readonly #writer: LineWriter;
  readonly #line = new IncomingJson();
  readonly #open = new OpenRequests();
  readonly #wakefulness = createWakefulness();
  #end: () => void = () => {};
  #isEnding = false;
  #isClosed = false;

  /** `longAnswers`: those of whoever sends. */
  constructor(input: Readable, output: Writable, longAnswers: Pick<LongAnswers, 'fill'>) {
    this.#longAnswers = longAnswers;
    this.#input = input;
    this.#output = output;
    this.#writer = new LineWriter(output, { onSlow: () => this.#reader.stop(), onFree: () => this.#reader.goOn() });
    this.#reader = new LineReader(input, {
      onLine: (line) => this.#deliver(this.#line.end(line)),
      onPart: (part) => this.#line.add(part),
      onMany: () => this.#writer.gather(),
      onPause: () => this.#writer.putGathered(),
    });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async start(): Promise<void> {
    this.#input.on('data', () => this.#wakefulness.heard());
    this.#reader.start();
    this.#input.on('end', () => void this.#finish());
    this.#input.on('close', () => void this.#finish());
    this.#input.on('error', (error) => this.onerror?.(error));
    // The client is gone: nothing more can be said.
    this.#output.on('error', () => {
      this.#writer.drop();
      void this.close();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.write(this.#longAnswers.fill(JSON.stringify(restoreErrorCode(message))));
    this.#open.said(message);
  }

  /** Sends the answer to a request, which is text already. */
  answer(id: string | number, message: Line): void {
    this.write(message);
    this.#open.answered(id);
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
    this.#reader.end();
    this.onclose?.();
    this.#end();
  }

  async #finish(): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.onend?.();
    await yieldToLoop();
    await this.#open.none(LAST_ANSWERS_MS);
    await this.close();
  }

  #deliver(content: JsonContent): void {
    if (content === 'blank') return;
    if (content === 'no JSON') this.#refuse(-32700, 'Parse error: the line is not valid JSON', null);
    else if ('refused' in content) this.#refuseLarge(content);
    else this.#deliverValue(content.value);
  }

  #refuseLarge({ refused, ends: { head, tail, bytes } }: Refused): void {
    const isLong = refused === 'too_large';
    const message = `Message too large: ${bytes} bytes; at most ${MAX_MESSAGE_BYTES} are accepted`;
    this.#refuse(-32600, isLong ? message : TOO_MANY_PARTS, requestIdIn(head, tail));
  }

  #deliverValue(message: unknown): void {
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      this.#refuse(-32600, 'Invalid request: expected one JSON-RPC object per line, no batches', null);
    else if (!isMessage(message)) this.#refuse(-32600, 'Invalid request: not a JSON-RPC 2.0 message', idOf(message));
    else {
      this.#open.heard(message);
      this.onmessage?.(message);
    }
  }

  #refuse(code: number, message: string, id: string | number | null): void {
    this.onerror?.(new Error(message));
    this.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
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
