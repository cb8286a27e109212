import type { TextChange } from './change-list';
import { type Encoding, encoded, utf8Length } from './encoding';
import type { Steps } from './steps';
import { isHighSurrogate, isLowSurrogate } from './surrogates';

/** Bytes that go, and those that stand there instead. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

/** What the changes of a text are in its bytes. The changes ascend, lie apart and keep characters whole. */
export function splicesOf(
  { text, length, encoding, from: first = 0 }: Spelled,
  changes: readonly TextChange[],
): Splice[] {
  const lengthOf = lengthsIn(text, length, encoding);
  let [done, byte] = [0, first];
  return changes.map(({ start, end, text: added }) => {
    const from = byte + lengthOf(done, start);
    byte = from + lengthOf(start, end);
    done = end;
    return { from, to: byte, bytes: encoded(added, encoding) };
  });
}

/** The bytes after some splices, in pieces: what stays is the old bytes themselves. */
export function splicedPieces(bytes: Uint8Array, splices: readonly Splice[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let done = 0;
  for (const { from, to, bytes: added } of splices) {
    pieces.push(bytes.subarray(done, from), added);
    done = to;
  }
  return [...pieces, bytes.subarray(done)];
}

interface Spelled {
  readonly text: string;
  /** Of its bytes. */
  readonly length: number;
  readonly encoding: Encoding;
  /** Where these bytes begin among all of them. */
  readonly from?: number;
}

function lengthsIn(text: string, length: number, encoding: Encoding): (from: number, to: number) => number {
  if (encoding !== 'utf-8') return (from, to) => 2 * (to - from);
  return length === text.length ? (from, to) => to - from : (from, to) => utf8Length(text.slice(from, to));
}

/** The same bytes in fewer pieces: short ones are joined, long ones stay what they are. */
export function* joinShort(pieces: readonly Uint8Array[]): Steps<Uint8Array[]> {
  const joined: Uint8Array[] = [];
  let [short, length]: [Uint8Array[], number] = [[], 0];
  for (const piece of [...pieces, END]) {
    const isLong = piece.length >= LONG_BYTES;
    if (length > 0 && (isLong || piece === END || length >= LONG_BYTES)) {
      joined.push(Buffer.concat(short));
      [short, length] = [[], 0];
      yield;
    }
    if (isLong) joined.push(piece);
    else short.push(piece);
    length += isLong ? 0 : piece.length;
  }
  return joined;
}

const END = new Uint8Array();
const LONG_BYTES = 1_048_576;

/** Whether no change leaves half a surrogate pair behind, or brings one. */
export function keepsCharacters(text: string, changes: readonly TextChange[]): boolean {
  return changes.every(
    ({ start, end, text: added }) => added.isWellFormed() && !isInsidePair(text, start) && !isInsidePair(text, end),
  );
}

/** Whether a glance shows that the text is another afterwards: its first change puts one character for another. */
export function differsAtOnce(text: string, [first]: readonly TextChange[]): boolean {
  return first !== undefined && first.end > first.start && first.text !== '' && first.text[0] !== text[first.start];
}

function isInsidePair(text: string, at: number): boolean {
  return at > 0 && isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at));
}
