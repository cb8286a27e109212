/** Bytes that are known to be text, as a text or piece by piece. */
import { isAscii, transcode } from 'node:buffer';
import type { Encoding } from './encoding';
import { cutNear } from './surrogates';
import { cutUtf8 } from './truncate';

/** What the bytes are known to be: of UTF-8 perhaps more, which saves looking again. */
export type Spelling = Encoding | 'ascii';

export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The memory of those that have all of theirs for themselves, and can be handed over to another thread. */
export function memoryOf(views: readonly Uint8Array[]): ArrayBuffer[] {
  return views.flatMap(({ buffer, length }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === length ? [buffer] : [],
  );
}

export function textOf(bytes: Buffer, spelling: Spelling): string {
  if (spelling === 'ascii') return bytes.toString('latin1');
  return spelling === 'utf-8' ? textOfUtf8(bytes) : textOfUtf16(bytes, spelling);
}

/** No piece parts a character. `maxBytes`: at least a few, and an even number. */
export function* textPieces(bytes: Buffer, spelling: Spelling, maxBytes: number): Generator<string> {
  for (let from = 0; from < bytes.length; ) {
    const piece = bytes.subarray(from, from + maxBytes);
    const isLast = from + maxBytes >= bytes.length;
    const length = isLast ? piece.length : wholeLength(piece, spelling);
    yield textOf(piece.subarray(0, length), spelling === 'utf-8' && isAscii(piece) ? 'ascii' : spelling);
    from += length;
  }
}

/** How many of the bytes are whole characters. */
function wholeLength(bytes: Buffer, spelling: Spelling): number {
  if (spelling === 'ascii') return bytes.length;
  if (spelling === 'utf-8') return cutUtf8(bytes, bytes.length);
  const unit = textOfUtf16(bytes.subarray(-2), spelling);
  return bytes.length - 2 * (unit.length - cutNear(unit, unit.length));
}

const LONG_BYTES = 65_536;

/** By way of UTF-16 it is a detour, and several times as fast, except for what is short. */
function textOfUtf8(valid: Buffer): string {
  if (valid.length < LONG_BYTES || typeof transcode !== 'function') return valid.toString('utf8');
  return transcode(valid, 'utf8', 'utf16le').toString('utf16le');
}

function textOfUtf16(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): string {
  return (encoding === 'utf-16be' ? Buffer.from(bytes).swap16() : bytes).toString('utf16le');
}
