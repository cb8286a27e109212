/**
 * Writes lines to a stream: short ones that come together in one piece, a long one slice by slice, as fast as the
 * reader takes it. Says when the reader does not keep up.
 */
import type { Writable } from 'node:stream';
import { isTurnLong, yieldToLoop } from '../text/yield-to-loop';

/** A line, or the slices that make it. */
export type Line = string | Iterable<string>;

/** A line that is longer goes out by itself: to join it with anything would copy it. */
const LONG_CHARACTERS = 65_536;

export class LineWriter {
  readonly #output: Writable;
  readonly #reader: { readonly onSlow: () => void; readonly onFree: () => void };
  /** Long lines: the first is under way, and nothing else may be written before its end. */
  readonly #long: Iterator<string>[] = [];
  #waiting = '';
  #isScheduled = false;
  #isGathering = false;

  constructor(output: Writable, reader: { onSlow: () => void; onFree: () => void }) {
    this.#output = output;
    this.#reader = reader;
    output.on('drain', () => void this.#goOn());
  }

  write(line: Line): void {
    if (typeof line === 'string' && line.length <= LONG_CHARACTERS) this.#join(line);
    else this.#writeLong(typeof line === 'string' ? [line] : line);
  }

  /** From now on short lines wait for each other. */
  gather(): void {
    this.#isGathering = true;
  }

  putGathered(): void {
    this.#isGathering = false;
    if (this.#long.length === 0) this.#putWaiting();
  }

  /** Writes all that waits, whatever the reader does. */
  flush(): void {
    for (const slices of this.#long.splice(0)) this.#finish(slices);
    this.#putWaiting();
  }

  /** For when nobody reads any more. */
  drop(): void {
    this.#waiting = '';
    this.#long.length = 0;
  }

  #join(line: string): void {
    this.#waiting += `${line}\n`;
    if (this.#waiting.length > LONG_CHARACTERS && this.#long.length === 0) this.#putWaiting();
    else this.#putSoon();
  }

  #writeLong(slices: Iterable<string>): void {
    this.#long.push(slices[Symbol.iterator]());
    if (this.#long.length > 1) return;
    this.#putWaiting();
    void this.#goOn();
  }

  /** Goes on with the line that is under way until it ends, the reader is behind, or others want their turn. */
  async #goOn(): Promise<void> {
    while (this.#long.length > 0) {
      // A reader that keeps up asks for more before the loop comes round.
      if (isTurnLong()) await yieldToLoop();
      const next = this.#long[0]?.next();
      if (next?.done) this.#endLong();
      else if (next && !this.#put(next.value)) return;
    }
    if (!this.#output.writableNeedDrain) this.#reader.onFree();
  }

  #endLong(): void {
    this.#put('\n');
    this.#long.shift();
    this.#putWaiting();
  }

  #finish(slices: Iterator<string>): void {
    for (let next = slices.next(); !next.done; next = slices.next()) this.#put(next.value);
    this.#put('\n');
  }

  #putWaiting(): void {
    const text = this.#waiting;
    this.#waiting = '';
    if (text !== '') this.#put(text);
  }

  /** Whether the reader keeps up. */
  #put(text: string): boolean {
    // Node reserves three bytes for each character of UTF-8, and one of Latin-1; plain ASCII is the same in both.
    const isPlain = text.length > LONG_CHARACTERS / 4 && Buffer.byteLength(text) === text.length;
    const isTaken = this.#output.write(text, isPlain ? 'latin1' : 'utf8');
    if (!isTaken) this.#reader.onSlow();
    return isTaken;
  }

  #putSoon(): void {
    if (this.#isScheduled || this.#isGathering) return;
    this.#isScheduled = true;
    // Comes after every promise that is settled by now: what finishes together goes out together.
    process.nextTick(() => {
      this.#isScheduled = false;
      if (this.#long.length === 0) this.#putWaiting();
    });
  }
}
