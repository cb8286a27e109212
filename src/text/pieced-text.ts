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
    return this.#pieces[0]?.startsWith(start) ?? start === '';
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

/** Told by what it can do: the engine and the doors are bundled apart, and each has a class of its own. */
export function isPieced(value: unknown): value is PiecedText {
  return typeof value === 'object' && value !== null && 'pieces' in value && 'isWellFormed' in value;
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
