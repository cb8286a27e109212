import { firstIndex } from './first-index';
import { Piece, type Source } from './piece';

/**
 * A text as a sequence of pieces, none of them empty: stretches of the original, and of what edits put in. None is ever
 * joined to another, so that an edit costs what it brings and takes, and any place can be followed through later edits.
 *
 * The pieces are kept in blocks: an edit goes through those that it is about, and only tells the others how far they
 * have moved.
 */
export class PieceList {
  readonly #blocks: Block[];

  constructor(original: Source) {
    this.#blocks = original.text === '' ? [] : [new Block([new Piece(original, { start: 0, lines: 0 })])];
  }

  get length(): number {
    return this.#blocks.at(-1)?.end ?? 0;
  }

  /** The piece that has the character at an offset. */
  at(offset: number): Piece | undefined {
    const block = this.#blocks[this.#blockAt(offset)];
    const piece = block?.pieces[block.indexOf(offset)];
    return piece && piece.start <= offset ? piece : undefined;
  }

  /** All pieces from the one that has the character at an offset. */
  *from(offset = 0): Generator<Piece, void> {
    for (let at = this.#blockAt(offset); at < this.#blocks.length; at++) {
      const block = this.#blocks[at] as Block;
      for (let index = block.indexOf(offset); index < block.pieces.length; index++) yield block.pieces[index] as Piece;
    }
  }

  /** Puts one in the place of all between two offsets, which it gives. What follows has so many lines more. */
  replace(span: { start: number; end: number }, added: Piece | undefined, lines: number): Piece[] {
    this.#cut(span.start);
    this.#cut(span.end);
    const first = this.#blockAt(span.start);
    const block = this.#blocks[first] ?? new Block([]);
    const gone = block.take(span);
    let next = first + 1;
    for (; (this.#blocks[next]?.start ?? span.end) < span.end; next++)
      gone.push(...(this.#blocks[next]?.take(span) ?? []));
    const chars = (added?.length ?? 0) - (span.end - span.start);
    block.put(span.start, added, { chars, lines });
    for (let later = first + 1; later < this.#blocks.length; later++) this.#blocks[later]?.move(chars, lines);
    const touched = [...block.halves(), ...this.#blocks.slice(first + 1, next)];
    this.#blocks.splice(first, next - first, ...touched.filter(({ pieces }) => pieces.length > 0));
    return gone;
  }

  /** So that no piece goes beyond an offset to both sides. */
  #cut(offset: number): void {
    this.#blocks[this.#blockAt(offset)]?.cut(offset);
  }

  /** The last one where the text ends before. */
  #blockAt(offset: number): number {
    const block = firstIndex(this.#blocks, ({ end }) => end > offset);
    return Math.max(0, Math.min(this.#blocks.length - 1, block));
  }
}

const MAX_PIECES = 64;

class Block {
  readonly pieces: Piece[];
  /** How far it was moved. */
  chars = 0;
  lines = 0;

  constructor(pieces: Piece[]) {
    this.pieces = pieces;
    for (const piece of pieces) piece.settle(this);
  }

  get start(): number {
    return this.pieces[0]?.start ?? 0;
  }

  get end(): number {
    return this.pieces.at(-1)?.end ?? 0;
  }

  /** The index of the piece that has the character at an offset. */
  indexOf(offset: number): number {
    return firstIndex(this.pieces, ({ end }) => end > offset);
  }

  cut(offset: number): void {
    const index = this.indexOf(offset);
    const piece = this.pieces[index];
    if (piece === undefined || piece.start >= offset) return;
    const rest = piece.cut(offset);
    rest.settle(this);
    this.pieces.splice(index + 1, 0, rest);
  }

  /** Takes out the pieces within a span. */
  take({ start, end }: { start: number; end: number }): Piece[] {
    const first = this.indexOf(start);
    const gone = this.pieces.splice(first, firstIndex(this.pieces, (piece) => piece.start >= end) - first);
    for (const piece of gone) piece.remove();
    return gone;
  }

  put(offset: number, added: Piece | undefined, { chars, lines }: { chars: number; lines: number }): void {
    const index = firstIndex(this.pieces, ({ start }) => start >= offset);
    for (let later = index; later < this.pieces.length; later++) this.pieces[later]?.move(chars, lines);
    if (added === undefined) return;
    added.settle(this);
    this.pieces.splice(index, 0, added);
  }

  move(chars: number, lines: number): void {
    this.chars += chars;
    this.lines += lines;
  }

  /** Two of it when it is long. */
  halves(): Block[] {
    return this.pieces.length <= MAX_PIECES ? [this] : [this, new Block(this.pieces.splice(MAX_PIECES / 2))];
  }
}
