import { isAscii, isUtf8 } from 'node:buffer';
import type { Text } from './pieced-text';
import { PiecewiseUtf8 } from './piecewise-utf8';
import { runAtOnce, type Steps } from './steps';
import { cutNear } from './surrogates';
import { bufferOf, type Spelling, textOf, textPieces } from './text-pieces';
import { ownTurn } from './yield-to-loop';

/**
 * Bytes to text and back, without loss.
 *
 * A byte order mark of UTF-16 decides for UTF-16; all else must be UTF-8 without NUL. Whatever is accepted encodes
 * back to the very same bytes: the byte order mark stays in the text as U+FEFF, and input that a decoder would have
 * to repair (invalid sequences, halves of surrogate pairs, an odd number of bytes) is refused instead.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const buffer = bufferOf(bytes);
  const encoding = encodingOf(buffer);
  if (encoding !== 'utf-8') return runAtOnce(decodeSteps(bytes));
  if (buffer.includes(0)) return { ok: false, reason: 'nul_byte' };
  // ASCII, as most source is, only has to be copied.
  if (isAscii(buffer)) return new Decoded(buffer, 'ascii');
  return isUtf8(buffer) ? new Decoded(buffer, encoding) : { ok: false, reason: 'invalid_utf8' };
}

/** The same for many bytes: judged a piece at a time. */
export function* decodeSteps(bytes: Uint8Array): Steps<DecodedText> {
  const buffer = bufferOf(bytes);
  const encoding = encodingOf(buffer);
  const judged = encoding === 'utf-8' ? yield* judgeUtf8(buffer) : yield* judgeUtf16(buffer, encoding);
  return isReason(judged) ? { ok: false, reason: judged } : new Decoded(buffer, judged);
}

/**
 * The text in its encoding, in pieces, each of which takes a millisecond or a few. Ask `isEncodable` first: a text that
 * would not come back is a mistake of the caller.
 */
export function* encodeSteps(text: Text, encoding: Encoding = 'utf-8'): Steps<Uint8Array[]> {
  const refuse = () => new RangeError(`The text cannot be encoded as ${encoding} without loss`);
  if (!isMarked(text, encoding)) throw refuse();
  const pieces: Uint8Array[] = [];
  for (const run of typeof text === 'string' ? cutPieces(text) : runsOf(text.pieces())) {
    if (!run.every((piece) => piece.isWellFormed())) throw refuse();
    pieces.push(encodedRun(run, encoding));
    yield;
  }
  return pieces;
}

/** Small ones are encoded together: memory of many sizes leaves holes when it is given back. */
function* runsOf(pieces: Iterable<string>): Iterable<readonly string[]> {
  let run: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    run.push(piece);
    length += piece.length;
    if (length < RUN_CHARACTERS) continue;
    yield run;
    run = [];
    length = 0;
  }
  if (run.length > 0) yield run;
}

const RUN_CHARACTERS = 1_000_000;

function encodedRun(run: readonly string[], encoding: Encoding): Uint8Array {
  const [first = '', second] = run;
  if (second === undefined || encoding !== 'utf-8')
    return encoded(second === undefined ? first : run.join(''), encoding);
  const lengths = run.map(utf8Length);
  const bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const [index, piece] of run.entries())
    at += bytes.write(piece, at, lengths[index] === piece.length ? 'latin1' : 'utf8');
  return bytes;
}

function* cutPieces(text: string): Iterable<readonly [string]> {
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = from + PIECE_CHARACTERS < text.length ? cutNear(text, from + PIECE_CHARACTERS) : text.length;
    yield [text.slice(from, to)];
  }
}

const PIECE_CHARACTERS = 2 * 1_048_576;

/** At once, for what is short. */
export function encoded(text: string, encoding: Encoding): Uint8Array {
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

function isMarked(text: Pick<string, 'startsWith'>, encoding: Encoding): boolean {
  return encoding === 'utf-8' || text.startsWith(BYTE_ORDER_MARK);
}

/** The bytes that a text takes in an encoding, without encoding it. */
export function encodedLength(text: string, encoding: Encoding): number {
  return encoding === 'utf-8' ? utf8Length(text) : text.length * 2;
}

/** How many bytes the text takes in UTF-8. */
export function utf8Length(text: Text): number {
  if (typeof text === 'string') return Buffer.byteLength(text, 'utf8');
  return [...text.pieces()].reduce((sum, piece) => sum + utf8Length(piece), 0);
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

const REASONS = ['nul_byte', 'invalid_utf8', 'utf16_odd_length', 'utf16_lone_surrogate'] as const;
export type NotTextReason = (typeof REASONS)[number];

function isReason(judged: Spelling | NotTextReason): judged is NotTextReason {
  return REASONS.some((reason) => reason === judged);
}

export type DecodedText = Decoded | { readonly ok: false; readonly reason: NotTextReason };

const BYTE_ORDER_MARK = '\ufeff';
const PIECE_BYTES = 1_048_576;

/** Whether the bytes begin with a byte order mark of UTF-16. */
export function startsAsUtf16(bytes: Uint8Array): boolean {
  return encodingOf(bytes) !== 'utf-8';
}

/** Told by the byte order mark. */
export function encodingOf(buffer: Uint8Array): Encoding {
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return 'utf-16le';
  if (buffer[0] === 0xfe && buffer[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** A class, since every read makes one: it has no functions of its own. */
class Decoded {
  readonly ok = true;
  readonly encoding: Encoding;
  readonly #buffer: Buffer;
  readonly #spelling: Spelling;
  #made: string | undefined;

  constructor(buffer: Buffer, spelling: Spelling) {
    this.#buffer = buffer;
    this.#spelling = spelling;
    this.encoding = spelling === 'ascii' ? 'utf-8' : spelling;
  }

  /** Made when it is first asked for: the bytes must stay as they are until then. */
  get text(): string {
    this.#made ??= textOf(this.#buffer, this.#spelling);
    return this.#made;
  }

  /** Makes the text, most of it a piece at a time. */
  *textSteps(): Steps<string> {
    this.#made ??= yield* joinSteps(this.#buffer, this.#spelling);
    return this.#made;
  }
}

/** In the end the engine puts the text together in one go; of ASCII there is nothing to be done before that. */
export function* joinSteps(buffer: Buffer, spelling: Spelling): Steps<string> {
  const pieces: string[] = [];
  if (spelling !== 'ascii')
    for (const piece of textPieces(buffer, spelling, PIECE_BYTES)) {
      pieces.push(piece);
      yield;
    }
  yield ownTurn;
  return spelling === 'ascii' ? textOf(buffer, spelling) : pieces.join('');
}

/** Of several reasons, a NUL is told first. */
function* judgeUtf8(buffer: Buffer): Steps<Spelling | NotTextReason> {
  const utf8 = new PiecewiseUtf8();
  let isPlain = true;
  for (let from = 0; from < buffer.length; from += PIECE_BYTES) {
    const piece = buffer.subarray(from, from + PIECE_BYTES);
    if (piece.includes(0)) return 'nul_byte';
    isPlain &&= isAscii(piece);
    if (!isPlain && !utf8.isBroken()) utf8.add(piece);
    yield;
  }
  if (isPlain) return 'ascii';
  return utf8.isValid() ? 'utf-8' : 'invalid_utf8';
}

function* judgeUtf16(buffer: Buffer, encoding: Encoding): Steps<Spelling | NotTextReason> {
  if (buffer.length % 2 !== 0) return 'utf16_odd_length';
  let isWellFormed = true;
  // A piece at a time, which the processor has at hand for all that is asked of it.
  for (const piece of textPieces(buffer, encoding, CLOSE_BYTES)) {
    if (piece.includes('\0')) return 'nul_byte';
    isWellFormed &&= piece.isWellFormed();
    yield;
  }
  return isWellFormed ? encoding : 'utf16_lone_surrogate';
}

const CLOSE_BYTES = 65_536;
