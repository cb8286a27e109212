import { firstIndex } from './first-index';
import { countLineEnds, LineIndex, SHORT } from './lines';
import type { Steps } from './steps';

/** Where a piece begins, and how many lines further on it is than its source tells. */
interface Place {
  readonly start: number;
  readonly lines: number;
}

/** What has pieces, and moves with all of them. */
interface Carrier {
  readonly chars: number;
  readonly lines: number;
}

/** A stretch of a source that stands, or stood, in a text. */
export class Piece {
  readonly source: Source;
  readonly from: number;
  #to: number;
  #start: number;
  #lines: number;
  #carrier: Carrier | undefined;

  constructor(source: Source, { start, lines }: Place, from = 0, to = source.text.length) {
    this.source = source;
    this.from = from;
    this.#to = to;
    this.#start = start;
    this.#lines = lines;
    source.enter(this);
  }

  get to(): number {
    return this.#to;
  }

  get length(): number {
    return this.#to - this.from;
  }

  get start(): number {
    return this.#start + (this.#carrier?.chars ?? 0);
  }

  get end(): number {
    return this.start + this.length;
  }

  get lines(): number {
    return this.#lines + (this.#carrier?.lines ?? 0);
  }

  /** Whether it still stands in the text. */
  get isThere(): boolean {
    return this.#carrier !== undefined;
  }

  /** The line of a place in it, or at its end. */
  lineAt(offset: number): MovedLine {
    const { from, by } = this.source.lineAt(this.from + offset - this.start);
    return { from, by: by + this.lines };
  }

  /** Leaves to another what comes from an offset on. */
  cut(offset: number): Piece {
    const middle = this.from + offset - this.start;
    const rest = new Piece(this.source, { start: offset, lines: this.lines }, middle, this.#to);
    this.#to = middle;
    return rest;
  }

  remove(): void {
    this.#carrier = undefined;
  }

  move(chars: number, lines: number): void {
    this.#start += chars;
    this.#lines += lines;
  }

  settle(carrier: Carrier): void {
    this.move(-carrier.chars, -carrier.lines);
    this.move(this.#carrier?.chars ?? 0, this.#carrier?.lines ?? 0);
    this.#carrier = carrier;
  }
}

/** It is the original. A number, so that all sources have one shape. */
const NOWHERE = -1;

/** A text of which there are pieces. */
export class Source {
  readonly text: string;
  /** All that there ever were, in order. */
  readonly #pieces: Piece[] = [];
  /** Where in the original it was put in. */
  readonly #anchor: number;
  #lines: LineIndex | undefined;

  constructor(text: string, anchor = NOWHERE) {
    this.text = text;
    this.#anchor = anchor;
  }

  get isOriginal(): boolean {
    return this.#anchor === NOWHERE;
  }

  enter(piece: Piece): void {
    const index = firstIndex(this.#pieces, ({ from }) => from > piece.from);
    this.#pieces.splice(index, 0, piece);
  }

  /** Which piece has this character of it, if that still stands in the text. */
  pieceAt(offset: number): Piece | undefined {
    const piece = this.#pieces[firstIndex(this.#pieces, ({ from }) => from > offset) - 1];
    return piece?.isThere ? piece : undefined;
  }

  /** How many lines end in it. Whoever puts in a long one has them counted, so that nobody waits for that later. */
  *countLines(): Steps<number> {
    if (this.text.length <= SHORT) return countLineEnds(this.text);
    this.#lines = new LineIndex(this.text);
    yield* this.#lines.prepare();
    return this.#lines.endsBefore(this.text.length);
  }

  lineAt(offset: number): MovedLine {
    if (this.#anchor === NOWHERE) return { from: offset, by: 0 };
    this.#lines ??= new LineIndex(this.text);
    return { from: this.#anchor, by: this.#lines.endsBefore(offset) };
  }
}

/** The line in which the original has the offset `from`, so many lines further on. The original need not be counted yet. */
export interface MovedLine {
  readonly from: number;
  readonly by: number;
}
