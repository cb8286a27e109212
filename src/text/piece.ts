import { firstIndex } from './first-index';
import { LineIndex } from './lines';
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

/** A text of which there are pieces. */
export class Source {
  readonly text: string;
  /** All that there ever were, in order. */
  readonly #pieces: Piece[] = [];
  /** Where in the original it was put in; undefined: it is the original. */
  readonly #anchor: number | undefined;
  readonly #lines: LineIndex | undefined;

  constructor(text: string, anchor?: number) {
    this.text = text;
    this.#anchor = anchor;
    this.#lines = anchor === undefined ? undefined : new LineIndex(text);
  }

  get isOriginal(): boolean {
    return this.#anchor === undefined;
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

  /** Of what was put in: how many lines end in it. */
  *countLines(): Steps<number> {
    yield* this.#lines?.prepare() ?? [];
    return this.#lines?.endsBefore(this.text.length) ?? 0;
  }

  lineAt(offset: number): MovedLine {
    if (this.#anchor === undefined) return { from: offset, by: 0 };
    return { from: this.#anchor, by: this.#lines?.endsBefore(offset) ?? 0 };
  }
}

/** The line in which the original has the offset `from`, so many lines further on. The original need not be counted yet. */
export interface MovedLine {
  readonly from: number;
  readonly by: number;
}
