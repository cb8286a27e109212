import { isAscii } from 'node:buffer';
import { PiecedText, type Text } from './pieced-text';

/**
 * A text that is being read, piece by piece. The pieces are strings, and large ones: the engine neither copies such in
 * its collections nor keeps their memory. As bytes, hundreds of pieces would leave holes in the memory of the process,
 * some 40 MB after a few long texts.
 */
export class GatheredText {
  readonly #pieces: string[] = [];
  /** What is to become the next piece; made for a text that comes in several parts. */
  #room: Buffer | undefined;
  #filled = 0;

  /** Bytes in UTF-8 that part no character; what is none is read as everybody reads it, with a sign in its place. */
  add(bytes: Buffer): void {
    if (this.#pieces.length === 0 || bytes.length > ROOM_BYTES) this.addText(stringOf(bytes));
    else this.#put(bytes);
  }

  addText(text: string): void {
    this.#emptyRoom();
    const last = this.#pieces.length - 1;
    const open = this.#pieces[last];
    // The engine joins by reference.
    if (open !== undefined && open.length < SMALL_CHARACTERS) this.#pieces[last] = open + text;
    else this.#pieces.push(text);
  }

  /** In pieces where it is long. */
  text(): Text {
    this.#emptyRoom();
    const text = new PiecedText(this.#pieces);
    return text.length > PIECED_CHARACTERS ? text : text.toString();
  }

  #put(bytes: Buffer): void {
    this.#room ??= Buffer.allocUnsafeSlow(ROOM_BYTES);
    if (ROOM_BYTES - this.#filled < bytes.length) this.#emptyRoom();
    this.#filled += bytes.copy(this.#room, this.#filled);
  }

  #emptyRoom(): void {
    if (this.#room && this.#filled > 0) this.#pieces.push(stringOf(this.#room.subarray(0, this.#filled)));
    this.#filled = 0;
  }
}

function stringOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** From so many on a text stays in pieces: to put together 1 MB takes 0.8 ms, most of it for the memory. */
const PIECED_CHARACTERS = 262_144;
const ROOM_BYTES = 262_144;
const SMALL_CHARACTERS = 32_768;
