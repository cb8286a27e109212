/**
 * A value of JSON with bytes beside it, on its way through a pipe: the length of a head, the head, which says how long
 * each part is, and the parts. Nothing of it is ever copied into one piece.
 */
const LENGTH_BYTES = 4;

export interface Parcel {
  readonly value: unknown;
  readonly parts: readonly Buffer[];
}

/** Each part may come in pieces. */
export function packParcel(value: unknown, parts: readonly (readonly Uint8Array[])[]): Uint8Array[] {
  const lengths = parts.map((pieces) => pieces.reduce((sum, { length }) => sum + length, 0));
  const head = Buffer.from(JSON.stringify({ value, lengths }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  return [length, head, ...parts.flat()];
}

export class IncomingParcel {
  /** What is to be filled next; the first two are the length of the head, and the head. */
  readonly #rooms: Buffer[] = [Buffer.alloc(LENGTH_BYTES)];
  #room = 0;
  #filled = 0;

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const room = this.#rooms[this.#room];
      if (!room) throw new Error('More has come than the parcel holds');
      const length = Math.min(room.length - this.#filled, chunk.length - at);
      chunk.copy(room, this.#filled, at, at + length);
      at += length;
      this.#filled += length;
      this.#turnToNext();
    }
  }

  /** Undefined: something is still to come. */
  content(): Parcel | undefined {
    const [, head, ...parts] = this.#rooms;
    if (!head || this.#room < this.#rooms.length) return undefined;
    return { value: JSON.parse(head.toString()).value, parts };
  }

  #turnToNext(): void {
    for (let room = this.#rooms[this.#room]; room?.length === this.#filled; room = this.#rooms[this.#room]) {
      if (this.#room === 0) this.#rooms.push(Buffer.allocUnsafeSlow(room.readUInt32LE()));
      if (this.#room === 1) this.#rooms.push(...lengthsIn(room).map((length) => Buffer.allocUnsafeSlow(length)));
      this.#room++;
      this.#filled = 0;
    }
  }
}

function lengthsIn(head: Buffer): readonly number[] {
  return JSON.parse(head.toString()).lengths;
}
