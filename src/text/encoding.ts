import { isAscii, isUtf8, transcode } from 'node:buffer';
import type { Steps } from './steps';
import { cutNear } from './surrogates';

/**
 * Bytes to text and back, without loss.
 *
 * A byte order mark of UTF-16 decides for UTF-16; all else must be UTF-8 without NUL. Whatever is accepted encodes
 * back to the very same bytes: the byte order mark stays in the text as U+FEFF, and input that a decoder would have
 * to repair (invalid sequences, halves of surrogate pairs, an odd number of bytes) is refused instead.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const encoding = encodingOf(buffer);
  if (encoding === 'utf-8') return decodeUtf8(buffer);
  return decodeUtf16(buffer, encoding);
}

/**
 * The text in its encoding, in pieces, each of which takes a millisecond or a few. Ask `isEncodable` first: a text that
 * would not come back is a mistake of the caller.
 */
export function* encodeSteps(text: string, encoding: Encoding = 'utf-8'): Steps<Uint8Array[]> {
  const refuse = () => new RangeError(`The text cannot be encoded as ${encoding} without loss`);
  if (!isMarked(text, encoding)) throw refuse();
  const pieces: Uint8Array[] = [];
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = from + PIECE_CHARACTERS < text.length ? cutNear(text, from + PIECE_CHARACTERS) : text.length;
    const piece = text.slice(from, to);
    if (!piece.isWellFormed()) throw refuse();
    pieces.push(encoded(piece, encoding));
    yield;
  }
  return pieces;
}

const PIECE_CHARACTERS = 1_048_576;

function encoded(text: string, encoding: Encoding): Uint8Array {
  // ASCII only has to be copied, and to find out costs less than to encode.
  if (encoding === 'utf-8') return Buffer.from(text, utf8Length(text) === text.length ? 'latin1' : 'utf8');
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

/**
 * Whether the text survives the encoding: no half of a surrogate pair, and for UTF-16 the byte order mark in front,
 * without which nobody would know the encoding again.
 */
export function isEncodable(text: string, encoding: Encoding = 'utf-8'): boolean {
  return text.isWellFormed() && isMarked(text, encoding);
}

function isMarked(text: string, encoding: Encoding): boolean {
  return encoding === 'utf-8' || text.startsWith(BYTE_ORDER_MARK);
}

/** The bytes that a text takes in an encoding, without encoding it. */
export function encodedLength(text: string, encoding: Encoding): number {
  return encoding === 'utf-8' ? utf8Length(text) : text.length * 2;
}

/** How many bytes the text takes in UTF-8. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

export type NotTextReason = 'nul_byte' | 'invalid_utf8' | 'utf16_odd_length' | 'utf16_lone_surrogate';

export type DecodedText =
  | {
      readonly ok: true;
      /** May be made when it is first asked for: the bytes must stay as they are until then. */
      readonly text: string;
      readonly encoding: Encoding;
    }
  | { readonly ok: false; readonly reason: NotTextReason };

const BYTE_ORDER_MARK = '\ufeff';
const LONG_BYTES = 65_536;

/** Whether the bytes begin with a byte order mark of UTF-16. */
export function startsAsUtf16(bytes: Uint8Array): boolean {
  return encodingOf(bytes) !== 'utf-8';
}

function encodingOf(buffer: Uint8Array): Encoding {
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return 'utf-16le';
  if (buffer[0] === 0xfe && buffer[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

function decodeUtf8(buffer: Buffer): DecodedText {
  if (buffer.includes(0)) return { ok: false, reason: 'nul_byte' };
  // ASCII, as most source is, only has to be copied.
  if (isAscii(buffer)) return madeLater(() => buffer.toString('latin1'), 'utf-8');
  if (!isUtf8(buffer)) return { ok: false, reason: 'invalid_utf8' };
  return madeLater(() => textOfUtf8(buffer), 'utf-8');
}

function madeLater(make: () => string, encoding: Encoding): DecodedText {
  let made: string | undefined;
  return {
    ok: true,
    get text() {
      made ??= make();
      return made;
    },
    encoding,
  };
}

/** By way of UTF-16 it is a detour, and several times as fast, except for what is short. */
function textOfUtf8(valid: Buffer): string {
  if (valid.length < LONG_BYTES || typeof transcode !== 'function') return valid.toString('utf8');
  return transcode(valid, 'utf8', 'utf16le').toString('utf16le');
}

function decodeUtf16(buffer: Buffer, encoding: 'utf-16le' | 'utf-16be'): DecodedText {
  if (buffer.length % 2 !== 0) return { ok: false, reason: 'utf16_odd_length' };
  let isWellFormed = true;
  // A piece at a time, which the processor has at hand for all that is asked of it.
  for (let from = 0, to = 0; from < buffer.length; from = to) {
    const read = textOfUtf16(buffer.subarray(from, from + LONG_BYTES), encoding);
    const piece = from + LONG_BYTES < buffer.length ? read.slice(0, cutNear(read, read.length)) : read;
    to = from + 2 * piece.length;
    if (piece.includes('\0')) return { ok: false, reason: 'nul_byte' };
    isWellFormed &&= piece.isWellFormed();
  }
  if (!isWellFormed) return { ok: false, reason: 'utf16_lone_surrogate' };
  return madeLater(() => textOfUtf16(buffer, encoding), encoding);
}

function textOfUtf16(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): string {
  return (encoding === 'utf-16be' ? Buffer.from(bytes).swap16() : bytes).toString('utf16le');
}
