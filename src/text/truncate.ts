import { isHighSurrogate, isLowSurrogate } from './surrogates';

/**
 * Cutting without breaking a character. Lengths of text are counted as JavaScript counts them, in UTF-16 units; a cut
 * that would fall into a surrogate pair falls before it.
 */

/** The text itself, or its beginning and `…`, together never longer than `maxCharacters`. */
export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  if (maxCharacters < ELLIPSIS.length) return '';
  const end = maxCharacters - ELLIPSIS.length;
  return text.slice(0, splitsPair(text, end) ? end - 1 : end) + ELLIPSIS;
}

/** The text itself, or `…` and its end, together never longer than `maxCharacters`. */
export function keepEnd(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  if (maxCharacters < ELLIPSIS.length) return '';
  const start = text.length - (maxCharacters - ELLIPSIS.length);
  return ELLIPSIS + text.slice(splitsPair(text, start) ? start + 1 : start);
}

/**
 * The greatest length, at most `max`, at which UTF-8 may be cut without splitting a character. Only the bytes before
 * the cut are looked at, so it also serves where the rest was never kept: an unfinished character at the end goes.
 * Bytes that are no UTF-8 are not held together.
 */
export function cutUtf8(bytes: Uint8Array, max: number): number {
  const end = Math.max(0, Math.min(max, bytes.length));
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back] ?? 0;
    if (isContinuation(byte)) continue;
    return sequenceLength(byte) > back ? end - back : end;
  }
  return end;
}

const ELLIPSIS = '…';

function splitsPair(text: string, at: number): boolean {
  return at > 0 && isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at));
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** How many bytes the character has that begins with this one. */
export function sequenceLength(lead: number): number {
  if (lead < 0xc0 || lead > 0xf7) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}
