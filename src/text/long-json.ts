import { GatheredText } from './gathered-text';
import type { Text } from './pieced-text';
import { cutUtf8 } from './truncate';
import { MAX_UNESCAPED_BYTES, unescapeJson } from './unescape-json';

/**
 * Reads JSON that comes in pieces, so that a long one takes its time in small steps. Long strings are read as they come,
 * and very long ones stay in pieces; what is around them is short, and is parsed in the end with a reference in the
 * place of each, `"~7"`. Strings that are not long stay where they are, as long as there are not too many: a thousand
 * references take ten times as long as the strings. It may have so many parts, brackets and commas counted, and no
 * more: what is long must be so for its strings.
 */
export class LongJson {
  readonly #maxParts: number;
  readonly #maxInPlace: number;
  #parts = 0;
  /** How many bytes stand between strings. */
  #between = 0;
  /** How many bytes of strings are left where they are. */
  #inPlace = 0;
  readonly #around: string[] = [];
  readonly #strings: Text[] = [];
  #isInString = false;
  /** In the piece at hand, from where on all stays as it is, and is not put to the rest yet. */
  #staysFrom = 0;
  /** What is read of the long string under way. */
  #read: GatheredText | undefined;
  /** The beginning of a string, an escape or a character, whose end is still to come: it is read then. */
  #unfinished: Buffer = NOTHING;
  /** What is wrong already, whatever comes. */
  #problem: SyntaxError | TooManyParts | undefined;

  constructor(maxParts: number, maxInPlace = IN_PLACE) {
    this.#maxParts = maxParts;
    this.#maxInPlace = maxInPlace;
  }

  add(piece: Buffer): void {
    if (this.#problem) return;
    const bytes = this.#unfinished.length === 0 ? piece : Buffer.concat([this.#unfinished, piece]);
    this.#unfinished = NOTHING;
    this.#staysFrom = 0;
    for (let at = 0; at < bytes.length && !this.#problem; )
      at = this.#isInString ? this.#readString(bytes, at) : this.#readAround(bytes, at);
    if (!this.#read) this.#putAside(bytes, bytes.length - this.#unfinished.length);
  }

  /** Nobody will ask for it. */
  abandon(): void {
    this.#giveUp(new SyntaxError('Not read to its end'));
  }

  /** Throws a SyntaxError where it was no JSON, and TooManyParts where it would have been too much to parse. */
  finish(): unknown {
    if (this.#isInString) this.#problem ??= new SyntaxError('Not valid JSON');
    if (this.#problem) throw this.#problem;
    const around = this.#around.join('');
    return this.#strings.length === 0 ? JSON.parse(around) : JSON.parse(around, (_, value) => this.#resolve(value));
  }

  #giveUp(problem: SyntaxError | TooManyParts): void {
    this.#problem = problem;
    this.#around.length = 0;
    this.#strings.length = 0;
    this.#read = undefined;
  }

  #readAround(bytes: Buffer, from: number): number {
    const quote = bytes.indexOf(QUOTE, from);
    const to = quote === -1 ? bytes.length : quote;
    this.#parts += partsIn(bytes, from, to);
    this.#between += to - from;
    if (this.#parts > this.#maxParts || this.#between > this.#maxParts * SHORT) this.#giveUp(new TooManyParts());
    this.#isInString = quote !== -1;
    return to + 1;
  }

  #readString(bytes: Buffer, from: number): number {
    if (this.#read) return this.#readOn(bytes, this.#read, from);
    const end = closingQuote(bytes, from, from + LONG);
    if (end === -1 && bytes.length - from <= LONG) return this.#leave(bytes, from);
    if (end === -1 || !this.#mayStay(bytes, from, end)) return this.#takeOut(bytes, from);
    this.#inPlace += end - from;
    this.#isInString = false;
    return end + 1;
  }

  #mayStay(bytes: Buffer, from: number, end: number): boolean {
    const length = end - from;
    const isShort = length <= SHORT || this.#inPlace + length <= this.#maxInPlace;
    return isShort && !mayBeReference(bytes, from);
  }

  /** Up to `to`, it stays as it is. */
  #putAside(bytes: Buffer, to: number): void {
    if (this.#staysFrom < to && !this.#problem) this.#around.push(bytes.toString('utf8', this.#staysFrom, to));
  }

  /** To be read when more has come. */
  #leave(bytes: Buffer, from: number): number {
    this.#unfinished = bytes.subarray(from);
    return bytes.length;
  }

  /** All of it but its quotes. */
  #takeOut(bytes: Buffer, from: number): number {
    this.#putAside(bytes, from);
    this.#read = new GatheredText();
    return this.#readOn(bytes, this.#read, from);
  }

  /** The next part of a long string. */
  #readOn(bytes: Buffer, text: GatheredText, from: number): number {
    const { bytes: read, to } = unescapeJson(bytes, from);
    if (to < bytes.length && to - from < MAX_UNESCAPED_BYTES) {
      text.add(read);
      return bytes[to] === QUOTE ? this.#endString(text, to) : this.#parseOn(bytes, text, to);
    }
    const whole = cutUtf8(read, read.length);
    text.add(read.subarray(0, whole));
    const next = to - (read.length - whole);
    return to === bytes.length ? this.#leave(bytes, next) : next;
  }

  /** The same for what is seldom, up to the end of the string, or of what has come of it. */
  #parseOn(bytes: Buffer, text: GatheredText, from: number): number {
    const end = closingQuote(bytes, from);
    const to = end === -1 ? endOfWhole(bytes, from) : end;
    try {
      text.addText(JSON.parse(`"${bytes.toString('utf8', from, to)}"`));
    } catch (error) {
      this.#giveUp(error as SyntaxError);
    }
    return end === -1 ? this.#leave(bytes, to) : this.#endString(text, to);
  }

  #endString(text: GatheredText, quote: number): number {
    this.#around.push(`~${this.#strings.push(text.text()) - 1}`);
    this.#staysFrom = quote;
    this.#read = undefined;
    this.#isInString = false;
    return quote + 1;
  }

  #resolve(value: unknown): unknown {
    if (typeof value === 'string') return this.#meant(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const names = Object.keys(value);
    if (!names.some(isReference)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [String(this.#meant(name)), member]));
  }

  #meant(text: string): Text {
    return isReference(text) ? (this.#strings[Number(text.slice(1))] as Text) : text;
  }
}

export class TooManyParts extends Error {}

/** Whether it has more parts than so many, which is known without parsing it. */
export function hasMoreParts(json: Buffer, maxParts: number): boolean {
  let parts = 0;
  for (let at = 0; at < json.length && parts <= maxParts; ) {
    const quote = json.indexOf(QUOTE, at);
    parts += partsIn(json, at, quote === -1 ? json.length : quote);
    const end = quote === -1 ? -1 : closingQuote(json, quote + 1);
    at = end === -1 ? json.length : end + 1;
  }
  return parts > maxParts;
}

const NOTHING = Buffer.alloc(0);
/** A string of so many bytes may stay where it is, and may have so many beside it. */
const SHORT = 64;
/** One of more bytes is long. So many bytes of those between may stay: to parse them in the end takes a moment. */
const LONG = 1024;
const IN_PLACE = 524_288;
const TILDE = 0x7e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
const LETTER_U = 0x75;
const LONGEST_ESCAPE = 6;

function partsIn(bytes: Buffer, from: number, to: number): number {
  let parts = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) parts++;
  }
  return parts;
}

/** What begins like a reference, or with an escape that may be its sign, is never left in its place. */
function mayBeReference(bytes: Buffer, at: number): boolean {
  return bytes[at] === TILDE || (bytes[at] === BACKSLASH && bytes[at + 1] === LETTER_U);
}

function isReference(text: string): boolean {
  return text.startsWith('~');
}

/** Where the string that goes on at `from` ends, or -1 where that is not before `limit`. */
function closingQuote(bytes: Buffer, from: number, limit = bytes.length): number {
  let quote = bytes.indexOf(QUOTE, from);
  while (quote !== -1 && quote < limit && backslashesBefore(bytes, quote, from) % 2 === 1)
    quote = bytes.indexOf(QUOTE, quote + 1);
  return quote < limit ? quote : -1;
}

function backslashesBefore(bytes: Buffer, at: number, from: number): number {
  let start = at;
  while (start > from && bytes[start - 1] === BACKSLASH) start--;
  return at - start;
}

/** The end of what can be read already: the last escape, or character, may have come only in part. */
function endOfWhole(bytes: Buffer, from: number): number {
  const last = bytes.lastIndexOf(BACKSLASH);
  if (last < Math.max(from, bytes.length - LONGEST_ESCAPE)) return Math.max(from, cutUtf8(bytes, bytes.length));
  const startsEscape = backslashesBefore(bytes, last + 1, from) % 2 === 1;
  const length = bytes[last + 1] === LETTER_U ? LONGEST_ESCAPE : 2;
  const isPart = startsEscape && last + length > bytes.length;
  return isPart ? last : Math.max(from, cutUtf8(bytes, bytes.length));
}
