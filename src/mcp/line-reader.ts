/**
 * Cuts what comes into lines, and hands them over. Of many that come together, the next few are handed over when what can
 * be done at once about the last ones is done, in as many turns of the loop as that takes: a thousand small calls must
 * not keep everybody else waiting, nor must a long one. Meanwhile nothing more is read.
 */
import type { Readable } from 'node:stream';
import { isTurnLong, yieldToLoop } from '../text/yield-to-loop';

export interface LineTaker {
  /** The end of a line, or all of it. */
  onLine(line: Buffer): void;
  /** A part of a line whose end is still to come. */
  onPart(part: Buffer): void;
  /** More follows at once, and what is said meanwhile can go out together; until `onPause`. */
  onMany(): void;
  onPause(): void;
}

const NEWLINE = 0x0a;
/** So many are handed over together: to wait after each takes a small part of the time of a small call. */
const AT_ONCE = 4;

export class LineReader {
  readonly #input: Readable;
  readonly #taker: LineTaker;
  /** While there is more to be handed over: all of that. */
  #waiting: Buffer[] | undefined;
  /** Whether a part of a line has been handed over. */
  #isInLine = false;
  #isStopped = false;
  #isEnded = false;

  constructor(input: Readable, taker: LineTaker) {
    this.#input = input;
    this.#taker = taker;
  }

  start(): void {
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  /** For as long as whoever answers cannot keep up. */
  stop(): void {
    this.#isStopped = true;
    this.#input.pause();
  }

  goOn(): void {
    this.#isStopped = false;
    this.#readOn();
  }

  /** For good: what came and was not handed over is dropped. */
  end(): void {
    this.#isEnded = true;
    this.#input.pause();
  }

  #take(chunk: Buffer): void {
    if (this.#waiting) return void this.#waiting.push(chunk);
    // The system hands over up to 2 MB in one turn.
    if (this.#isInLine && isTurnLong()) return void this.#handOverInTurns([chunk], 0);
    const next = this.#handOver(chunk, 0);
    if (next < chunk.length) void this.#handOverInTurns([chunk], next);
  }

  async #handOverInTurns(waiting: Buffer[], from: number): Promise<void> {
    this.#waiting = waiting;
    for (let next = from; ; next = this.#handOverSome(waiting, next)) {
      this.#taker.onMany();
      await settled();
      if (isTurnLong()) await this.#rest();
      if (this.#isEnded) return;
      if (waiting.length === 0) break;
    }
    this.#waiting = undefined;
    this.#taker.onPause();
    this.#readOn();
  }

  /** The next few lines. Gives where the one after them begins, in what waits first then. */
  #handOverSome(waiting: Buffer[], from: number): number {
    let next = from;
    for (let left = AT_ONCE; left > 0 && waiting[0]; left--) {
      next = this.#handOver(waiting[0], next);
      if (next === waiting[0].length) {
        waiting.shift();
        next = 0;
      }
      if (this.#isInLine) break;
    }
    return next;
  }

  /** Nothing more is read until all is handed over. */
  async #rest(): Promise<void> {
    this.#taker.onPause();
    this.#input.pause();
    await yieldToLoop();
  }

  #readOn(): void {
    if (!this.#isStopped && !this.#waiting && !this.#isEnded && this.#input.isPaused()) this.#input.resume();
  }

  /** Gives where the next line begins. */
  #handOver(chunk: Buffer, from: number): number {
    const end = chunk.indexOf(NEWLINE, from);
    this.#isInLine = end === -1;
    if (end === -1) this.#taker.onPart(chunk.subarray(from));
    else this.#taker.onLine(chunk.subarray(from, end));
    return end === -1 ? chunk.length : end + 1;
  }
}

/** When all is done that waits for nobody else: promises come first, and what is put off to the next tick after them. */
function settled(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
