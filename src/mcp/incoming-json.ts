/**
 * A message that comes in chunks. A short one is put together and parsed in the end; a long one is parsed as it comes,
 * so that nobody waits for all of it at once. Of one that is refused only the two ends are kept.
 */
import { hasMoreParts, LongJson, TooManyParts } from '../text/long-json';

export const MAX_MESSAGE_BYTES = 64 * 1_048_576;
/** Brackets and commas: those of 3,333 edits. Whatever is done with the values of a message takes a moment then. */
export const MAX_MESSAGE_PARTS = 10_000;
export const TOO_MANY_PARTS = `Message too large: it has more than ${MAX_MESSAGE_PARTS} values; send fewer at a time`;
/**
 * So much is parsed quicker at once. What is longer is parsed while the rest is on its way: 1 MB is written a seventh
 * sooner than by waiting for all of it.
 */
const LONG_BYTES = 131_072;
/** How much is kept at either end of what is refused, to find the request's id in it. */
const KEPT_BYTES = 4096;

/** What is known of a message that is refused. */
export interface Ends {
  readonly head: string;
  readonly tail: string;
  readonly bytes: number;
}

export interface Refused {
  readonly refused: 'too_large' | 'too_many_parts';
  readonly ends: Ends;
}

export type JsonContent = { readonly value: unknown } | Refused | 'blank' | 'no JSON';

export class IncomingJson {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #long: LongMessage | undefined;

  add(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#bytes += chunk.length;
    if (this.#long) this.#long.add(chunk);
    else this.#chunks.push(chunk);
    if (!this.#long && this.#bytes > LONG_BYTES) {
      this.#long = new LongMessage();
      for (const one of this.#chunks.splice(0)) this.#long.add(one);
    }
  }

  /** With this chunk it ends, and the next one begins another message. */
  end(chunk: Buffer = Buffer.alloc(0)): JsonContent {
    // Most messages come in one piece.
    if (this.#bytes === 0) return contentOf(chunk);
    this.add(chunk);
    const content = this.#long?.end() ?? contentOf(Buffer.concat(this.#chunks));
    this.#chunks = [];
    this.#bytes = 0;
    this.#long = undefined;
    return content;
  }
}

class LongMessage {
  readonly #json = new LongJson(MAX_MESSAGE_PARTS);
  #bytes = 0;
  #head = '';
  #tail = '';

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#head.length < KEPT_BYTES) this.#head += chunk.toString('latin1', 0, KEPT_BYTES - this.#head.length);
    this.#tail = (this.#tail + endOf(chunk)).slice(-KEPT_BYTES);
    if (this.#bytes <= MAX_MESSAGE_BYTES) this.#json.add(chunk);
    else this.#json.abandon();
  }

  end(): JsonContent {
    const ends = { head: this.#head, tail: this.#tail, bytes: this.#bytes };
    if (this.#bytes > MAX_MESSAGE_BYTES) return { refused: 'too_large', ends };
    try {
      return { value: this.#json.finish() };
    } catch (error) {
      return error instanceof TooManyParts ? { refused: 'too_many_parts', ends } : 'no JSON';
    }
  }
}

function contentOf(bytes: Buffer): JsonContent {
  const text = bytes.toString('utf8');
  if (text.trim() === '') return 'blank';
  if (bytes.length > MAX_MESSAGE_PARTS && hasMoreParts(bytes, MAX_MESSAGE_PARTS)) {
    const ends = { head: bytes.toString('latin1', 0, KEPT_BYTES), tail: endOf(bytes), bytes: bytes.length };
    return { refused: 'too_many_parts', ends };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return 'no JSON';
  }
}

function endOf(bytes: Buffer): string {
  return bytes.toString('latin1', Math.max(0, bytes.length - KEPT_BYTES));
}
