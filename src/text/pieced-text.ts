import { isHighSurrogate } from './surrogates';

/**
 * A long text that came in pieces, and stays so. The engine would put it together when somebody first looks into it, in
 * one go, which takes most of a millisecond for each megabyte.
 */
export class PiecedText {
  readonly length: number;
  readonly #pieces: readonly string[];

  constructor(given: readonly string[]) {
    this.#pieces = [...wholeCharacters(given)];
    this.length = given.reduce((sum, piece) => sum + piece.length, 0);
  }

  /** None of them parts a character. */
  pieces(): Iterable<string> {
    return this.#pieces;
  }

  startsWith(start: string): boolean {
    return headOf(this).startsWith(start);
  }

  isWellFormed(): boolean {
    return this.#pieces.every((piece) => piece.isWellFormed());
  }

  /** In one go. */
  toString(): string {
    return this.#pieces.join('');
  }

  toJSON(): string {
    return this.toString();
  }
}

/** A text, in pieces where it is very long. */
export type Text = string | PiecedText;

export function isSameText(one: Text, other: Text): boolean {
  if (one.length !== other.length) return false;
  let rest = '';
  const others = piecesOf(other);
  for (const piece of piecesOf(one)) {
    // However they are cut: nothing is copied to be compared.
    for (let at = 0; at < piece.length; ) {
      if (rest === '') rest = others.next().value ?? '';
      const length = Math.min(rest.length, piece.length - at);
      if (piece.slice(at, at + length) !== rest.slice(0, length)) return false;
      rest = rest.slice(length);
      at += length;
    }
  }
  return true;
}

function piecesOf(text: Text): Iterator<string, undefined> & Iterable<string> {
  return (typeof text === 'string' ? [text] : [...text.pieces()]).values();
}

/** Enough of a text to say which one is meant. */
export function headOf(text: Text): string {
  if (typeof text === 'string') return text;
  let head = '';
  for (const piece of text.pieces()) {
    head += piece;
    if (head.length >= HEAD_CHARACTERS) break;
  }
  return head;
}

const HEAD_CHARACTERS = 65_536;

/** Told by what it can do: the engine and the doors are bundled apart, and each has a class of its own. */
export function isPieced(value: unknown): value is PiecedText {
  const { pieces, isWellFormed } = (value ?? {}) as Partial<PiecedText>;
  return typeof pieces === 'function' && typeof isWellFormed === 'function';
}

/** A half of a character at the end of a piece goes to the next. */
function* wholeCharacters(pieces: readonly string[]): Iterable<string> {
  let half = '';
  for (const piece of pieces) {
    const text = half + piece;
    const end = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    half = text.slice(end);
    yield text.slice(0, end);
  }
  if (half !== '') yield half;
}
