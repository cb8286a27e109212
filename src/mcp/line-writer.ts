/** Writes lines to a stream: those that come together in one piece. Says when the reader does not keep up. */
import type { Writable } from 'node:stream';

/** A line that is longer goes out by itself: to join it with anything would copy it. */
const LONG_CHARACTERS = 65_536;

export class LineWriter {
  readonly #output: Writable;
  readonly #onSlow: () => void;
  #waiting = '';
  #isScheduled = false;

  constructor(output: Writable, onSlow: () => void) {
    this.#output = output;
    this.#onSlow = onSlow;
  }

  write(line: string): void {
    if (line.length > LONG_CHARACTERS) this.#writeLong(line);
    else this.#join(line);
  }

  #join(line: string): void {
    this.#waiting += `${line}\n`;
    if (this.#waiting.length > LONG_CHARACTERS) this.flush();
    else this.#flushSoon();
  }

  flush(): void {
    const text = this.#waiting;
    this.#waiting = '';
    if (text !== '') this.#put(text, 'utf8');
  }

  #writeLong(line: string): void {
    this.flush();
    // Node reserves three bytes for each character of UTF-8, and one of Latin-1; plain ASCII is the same in both.
    this.#put(line, Buffer.byteLength(line) === line.length ? 'latin1' : 'utf8');
    this.#put('\n', 'latin1');
  }

  #put(text: string, encoding: 'latin1' | 'utf8'): void {
    if (!this.#output.write(text, encoding)) this.#onSlow();
  }

  #flushSoon(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Comes after every promise that is settled by now: what finishes together goes out together.
    process.nextTick(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }

  /** For when nobody reads any more. */
  drop(): void {
    this.#waiting = '';
  }
}
