/**
 * A text that stays the bytes that it was read as. To make one string of tens of megabytes takes longer than others
 * should wait, since the engine does it in one go, and as much memory again. Whoever can, takes it piece by piece.
 */
import { type Encoding, encodeSteps } from './encoding';
import type { Text } from './pieced-text';
import type { Steps } from './steps';
import { bufferOf, textPieces } from './text-pieces';

/** A shorter text is as well a string. */
const MIN_BYTES = 4 * 1_048_576;
const JOINED_BYTES = 1_048_576;

export class LongText {
  readonly #bytes: Buffer;
  readonly #encoding: Encoding;

  /** The bytes must be text in this encoding, and stay as they are. */
  constructor(bytes: Uint8Array, encoding: Encoding) {
    this.#bytes = bufferOf(bytes);
    this.#encoding = encoding;
  }

  static isWorthIt({ length }: Uint8Array): boolean {
    return length > MIN_BYTES;
  }

  /** None has more units than this, nor parts a character. */
  pieces(maxCharacters: number): Iterable<string> {
    // In UTF-8 a unit takes a byte at least, in UTF-16 two.
    return textPieces(this.#bytes, this.#encoding, this.#encoding === 'utf-8' ? maxCharacters : 2 * maxCharacters);
  }

  /** For whoever cannot: all of it in one go. */
  toString(): string {
    return [...this.pieces(JOINED_BYTES)].join('');
  }

  toJSON(): string {
    return this.toString();
  }
}

/** Bytes in UTF-8 as a string, where they are few enough for that. */
export function shortOrLong(bytes: Uint8Array): string | LongText {
  const text = new LongText(bytes, 'utf-8');
  return LongText.isWorthIt(bytes) ? text : text.toString();
}

/** Texts as one, which stays in bytes where that is possible: half a character has none. */
export function* joinLong(texts: readonly Text[]): Steps<string | LongText> {
  if (!texts.every((text) => text.isWellFormed())) return texts.join('');
  const pieces: Uint8Array[] = [];
  for (const text of texts) pieces.push(...(yield* encodeSteps(text)));
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const piece of pieces) {
    bytes.set(piece, filled);
    filled += piece.length;
    yield;
  }
  return new LongText(bytes, 'utf-8');
}

/** Told by what it can do: the engine and the doors are bundled apart, and each has a class of its own. */
export function isLongText(value: unknown): value is LongText {
  return typeof value === 'object' && value !== null && 'pieces' in value && typeof value.pieces === 'function';
}
