/** Writes lines to a stream: those that come together in one piece. Says when the reader does not keep up. */
import type { Writable } from 'node:stream';

/** A piece that is longer goes out at once. */
const MAX_WAITING_CHARACTERS = 65_536;

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
    this.#waiting += `${line}\n`;
    if (this.#waiting.length > MAX_WAITING_CHARACTERS) this.flush();
    else this.#flushSoon();
  }

  flush(): void {
    if (this.#waiting === '') return;
    const piece = this.#waiting;
    this.#waiting = '';
    if (!this.#output.write(piece, encodingOf(piece))) this.#onSlow();
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

/** Node reserves three bytes for each character of UTF-8, and one of Latin-1; plain ASCII is the same in both. */
function encodingOf(text: string): 'latin1' | 'utf8' {
  return text.length > MAX_WAITING_CHARACTERS && Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8';
}
