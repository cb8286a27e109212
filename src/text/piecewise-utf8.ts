/** Judges UTF-8 that comes in pieces, which may end inside a character. */
import { isUtf8 } from 'node:buffer';
import { cutUtf8, sequenceLength } from './truncate';

export class PiecewiseUtf8 {
  /** The beginning of a character whose end is still to come. */
  #unfinished: Buffer = Buffer.alloc(0);
  #isValid = true;

  add(piece: Uint8Array): void {
    const rest = this.#finish(piece);
    if (!this.#isValid || rest.length === 0) return;
    const cut = cutUtf8(rest, rest.length);
    this.#isValid = isUtf8(rest.subarray(0, cut));
    // Copied: the caller may fill the piece anew.
    this.#unfinished = Buffer.from(rest.subarray(cut));
  }

  /** Whether all of it was UTF-8, if nothing more comes. */
  isValid(): boolean {
    return this.#isValid && this.#unfinished.length === 0;
  }

  /** Whether something was wrong already, whatever comes. */
  isBroken(): boolean {
    return !this.#isValid;
  }

  /** Takes from the piece what the unfinished character lacks, and gives what remains of it. */
  #finish(piece: Uint8Array): Uint8Array {
    const [lead] = this.#unfinished;
    if (lead === undefined) return piece;
    const lacking = sequenceLength(lead) - this.#unfinished.length;
    const character = Buffer.concat([this.#unfinished, piece.subarray(0, lacking)]);
    const isWhole = piece.length >= lacking;
    if (isWhole) this.#isValid &&= isUtf8(character);
    this.#unfinished = isWhole ? Buffer.alloc(0) : character;
    return piece.subarray(lacking);
  }
}
