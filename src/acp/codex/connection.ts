/**
 * The protocol of `codex app-server`: JSON-RPC in lines, without its version member, in both directions. Every request
 * of Codex gets an answer, whatever happens here: one that stays open would hold up its turn for ever.
 */
import { Readable, Writable } from 'node:stream';
import { type AnyMessage, ndJsonStream } from '@agentclientprotocol/sdk';

export type Params = Readonly<Record<string, unknown>>;

export interface CodexHandlers {
  notified(method: string, params: Params): void;
  asked(method: string, params: Params): Promise<object>;
}

export interface Connection {
  request<T>(method: string, params: object, limitMs: number): Promise<T>;
  notify(method: string, params?: object): void;
  /** Rejects what waits for an answer. */
  close(why: string): void;
}

/** What Codex answered instead of doing it, with its own numbers. */
export class CodexError extends Error {
  override readonly name = 'CodexError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

interface Frame {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

type Settle = (frame: Frame) => void;

const MAX_FRAME_BYTES = 256 * 1_048_576;
const INTERNAL_ERROR = -32603;
/** Said to those who wait when the connection has gone. */
export const CONNECTION_LOST = -32000;
export const NO_ANSWER = -32001;

export function connectCodex(input: Readable, output: Writable, handlers: CodexHandlers): Connection {
  const stream = ndJsonStream(Writable.toWeb(output), Readable.toWeb(input) as ReadableStream<Uint8Array>, {
    maxMessageBytes: MAX_FRAME_BYTES,
  });
  const writer = stream.writable.getWriter();
  const waiting = new Map<number, Settle>();
  let lastId = 0;
  // A pipe that broke is told by the end of the child; here it only must not take us along.
  const send = (frame: object) => void writer.write(frame as AnyMessage).catch(() => {});

  void readAll(stream.readable, (frame) => {
    if (frame.method === undefined) waiting.get(Number(frame.id))?.(frame);
    else if (frame.id === undefined) handlers.notified(frame.method, frame.params ?? {});
    else void answer(frame.id, frame.method, frame.params ?? {});
  });

  async function answer(id: number | string, method: string, params: Params): Promise<void> {
    try {
      send({ id, result: await handlers.asked(method, params) });
    } catch (thrown) {
      const code = thrown instanceof CodexError ? thrown.code : INTERNAL_ERROR;
      send({ id, error: { code, message: thrown instanceof Error ? thrown.message : String(thrown) } });
    }
  }

  return {
    notify: (method, params) => send({ method, ...(params && { params }) }),
    request<T>(method: string, params: object, limitMs: number) {
      lastId += 1;
      const id = lastId;
      return new Promise<T>((resolve, reject) => {
        const settle: Settle = ({ result, error }) => {
          clearTimeout(limit);
          waiting.delete(id);
          if (error) reject(new CodexError(error.code, error.message));
          else resolve(result as T);
        };
        const silent = { code: NO_ANSWER, message: `Codex did not answer ${method} within ${limitMs / 1000} s` };
        const limit = setTimeout(() => settle({ error: silent }), limitMs);
        waiting.set(id, settle);
        send({ id, method, params });
      });
    },
    close(why) {
      for (const settle of [...waiting.values()]) settle({ error: { code: CONNECTION_LOST, message: why } });
    },
  };
}

async function readAll(readable: ReadableStream<AnyMessage>, take: (frame: Frame) => void): Promise<void> {
  try {
    for await (const frame of readable as unknown as AsyncIterable<Frame>) take(frame);
  } catch {
    // The child is gone, and says so by itself.
  }
}
