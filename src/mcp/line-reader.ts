/**
 * Cuts what comes into lines, and hands them over one by one. Of many that come together, each is handed over when what
 * can be done at once about the one before is done, in as many turns of the loop as that takes: a thousand small calls
 * must not keep everybody else waiting. Meanwhile nothing more is read.
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

export class LineReader {
  readonly #input: Readable;
  readonly #taker: LineTaker;
  #isStopped = false;
  #isResting = false;
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
    if (!this.#isResting && !this.#isEnded) this.#input.resume();
  }

  /** For good: what came and was not handed over is dropped. */
  end(): void {
    this.#isEnded = true;
    this.#input.pause();
  }

  #take(chunk: Buffer): void {
    const next = this.#handOver(chunk, 0);
    if (next < chunk.length) void this.#takeRest(chunk, next);
  }

  async #takeRest(chunk: Buffer, from: number): Promise<void> {
    for (let next = from; next < chunk.length && !this.#isEnded; next = this.#handOver(chunk, next)) {
      this.#taker.onMany();
      await settled();
      if (isTurnLong()) await this.#rest();
    }
    this.#taker.onPause();
  }

  async #rest(): Promise<void> {
    this.#taker.onPause();
    this.#isResting = true;
    this.#input.pause();
    await yieldToLoop();
    this.#isResting = false;
    if (!this.#isStopped) this.goOn();
  }

  /** Where the next line begins. */
  #handOver(chunk: Buffer, from: number): number {
    const end = chunk.indexOf(NEWLINE, from);
    if (end === -1) this.#taker.onPart(chunk.subarray(from));
    else this.#taker.onLine(chunk.subarray(from, end));
    return end === -1 ? chunk.length : end + 1;
  }
}

/** When all is done that waits for nobody else: promises come first, and what is put off to the next tick after them. */
function settled(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
