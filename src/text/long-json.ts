import { PiecedText, type Text } from './pieced-text';

/**
 * Reads JSON that comes in pieces, so that a long one takes its time in small steps. Long strings are decoded as they
 * come, and very long ones stay in pieces; what is around them is short, and is parsed in the end with a reference in
 * the place of each, `"~7"`. Strings that are not long stay where they are, as long as there are not too many: a
 * thousand references take ten times as long as the strings. It may have so many parts, brackets and commas counted, and
 * no more: what is long must be so for its strings.
 */
export class LongJson {
  readonly #maxParts: number;
  readonly #maxInPlace: number;
  #parts = 0;
  /** How many characters stand between strings. */
  #between = 0;
  /** How many characters of strings are left where they are. */
  #inPlace = 0;
  readonly #around: string[] = [];
  readonly #strings: Text[] = [];
  #isInString = false;
  /** Of the string under way. */
  #decoded: string[] = [];
  /** A string, or an escape, whose end is still to come: it is read then. */
  #unfinished = '';
  /** What is wrong already, whatever comes. */
  #problem: SyntaxError | TooManyParts | undefined;

  constructor(maxParts: number, maxInPlace = IN_PLACE) {
    this.#maxParts = maxParts;
    this.#maxInPlace = maxInPlace;
  }

  add(piece: string): void {
    if (this.#problem) return;
    const text = this.#unfinished + piece;
    this.#unfinished = '';
    for (let at = 0; at < text.length && !this.#problem; )
      at = this.#isInString ? this.#readString(text, at) : this.#readAround(text, at);
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
    this.#decoded = [];
  }

  #readAround(text: string, from: number): number {
    const quote = text.indexOf('"', from);
    const piece = text.slice(from, quote === -1 ? undefined : quote);
    this.#around.push(piece);
    this.#parts += partsIn(piece);
    this.#between += piece.length;
    if (this.#parts > this.#maxParts || this.#between > this.#maxParts * SHORT) this.#giveUp(new TooManyParts());
    this.#isInString = quote !== -1;
    return from + piece.length + 1;
  }

  #readString(text: string, from: number): number {
    const end = closingQuote(text, from);
    if (end === -1) {
      const isUnread = this.#decoded.length === 0 && text.length - from <= UNREAD;
      const cut = isUnread ? from : endOfWhole(text, from);
      this.#unfinished = text.slice(cut);
      if (!isUnread) this.#decode(text.slice(from, cut));
      return text.length;
    }
    this.#isInString = false;
    const raw = text.slice(from, end);
    if (this.#decoded.length === 0 && this.#mayStay(raw)) {
      this.#inPlace += raw.length;
      this.#around.push(`"${raw}"`);
    } else {
      this.#decode(raw);
      this.#around.push(`"~${this.#strings.push(shortOrPieced(this.#decoded)) - 1}"`);
      this.#decoded = [];
    }
    return end + 1;
  }

  #mayStay(raw: string): boolean {
    const isShort = raw.length <= SHORT || this.#inPlace + raw.length <= this.#maxInPlace;
    return isShort && !MAY_BE_REFERENCE.test(raw);
  }

  #decode(raw: string): void {
    try {
      this.#gather(JSON.parse(`"${raw}"`));
    } catch (error) {
      this.#giveUp(error as SyntaxError);
    }
  }

  /** The engine joins by reference; a piece that is long enough is copied together at once, while others are to come. */
  #gather(text: string): void {
    const last = this.#decoded.length - 1;
    const open = this.#decoded[last];
    if (open === undefined || open.length >= PIECE) this.#decoded.push(text);
    else this.#decoded[last] = open + text;
    if ((this.#decoded.at(-1)?.length ?? 0) >= PIECE) this.#decoded.at(-1)?.charCodeAt(0);
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

/** Whether a text has more parts than so many, which is known without parsing it. */
export function hasMoreParts(json: string, maxParts: number): boolean {
  let parts = 0;
  for (let at = 0; at < json.length && parts <= maxParts; ) {
    const quote = json.indexOf('"', at);
    parts += partsIn(json.slice(at, quote === -1 ? undefined : quote));
    const end = quote === -1 ? -1 : closingQuote(json, quote + 1);
    at = end === -1 ? json.length : end + 1;
  }
  return parts > maxParts;
}

/** From so many characters on a string stays in pieces, each of which has so many. */
const PIECED = 4 * 1_048_576;
const PIECE = 1_048_576;
/** A string of so many characters may stay where it is, and may have so many beside it. */
const SHORT = 64;
/** So many characters of longer ones may stay too: to parse them in the end takes a moment. */
const IN_PLACE = 524_288;
/** The beginning of a string may be so long to wait for the rest of it: it may be one that can stay. */
const UNREAD = 1024;
/** What begins like one, written out or escaped, is never left in its place. */
const MAY_BE_REFERENCE = /^(?:~|\\u007e)/i;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
const LONGEST_ESCAPE = 6;

/** The pieces of a shorter one are joined by reference; whoever looks into it pays for the copy. */
function shortOrPieced(pieces: readonly string[]): Text {
  const joined = pieces.reduce((text, piece) => text + piece, '');
  return joined.length > PIECED ? new PiecedText(pieces) : joined;
}

function partsIn(piece: string): number {
  let parts = 0;
  for (let at = 0; at < piece.length; at++) {
    const unit = piece.charCodeAt(at);
    if (unit === COMMA || unit === BRACKET || unit === BRACE) parts++;
  }
  return parts;
}

function isReference(text: string): boolean {
  return text.startsWith('~');
}

/** Where the string that goes on at `from` ends, or -1. */
function closingQuote(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote !== -1 && backslashesBefore(text, quote, from) % 2 === 1) quote = text.indexOf('"', quote + 1);
  return quote;
}

function backslashesBefore(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && text.charCodeAt(start - 1) === BACKSLASH) start--;
  return at - start;
}

/** The end of what can be decoded already: the last escape may have come only in part. */
function endOfWhole(text: string, from: number): number {
  const last = text.lastIndexOf('\\');
  if (last < Math.max(from, text.length - LONGEST_ESCAPE)) return text.length;
  const startsEscape = backslashesBefore(text, last + 1, from) % 2 === 1;
  const length = text.charAt(last + 1) === 'u' ? LONGEST_ESCAPE : 2;
  return startsEscape && last + length > text.length ? last : text.length;
}
