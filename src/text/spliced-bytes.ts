import type { TextChange } from './change-list';
import { utf8Length } from './encoding';
import { isHighSurrogate, isLowSurrogate } from './surrogates';

/**
 * The bytes of a text after some changes, in pieces: what stays is the old bytes themselves, and only what comes is
 * encoded. `bytes` are those of the text in UTF-8; the changes ascend, lie apart and keep characters whole.
 */
export function spliceUtf8(
  { text, bytes }: { text: string; bytes: Uint8Array },
  changes: readonly TextChange[],
): Uint8Array[] {
  const isAscii = bytes.length === text.length;
  const lengthOf = (from: number, to: number) => (isAscii ? to - from : utf8Length(text.slice(from, to)));
  const pieces: Uint8Array[] = [];
  let done = 0;
  let byte = 0;
  for (const { start, end, text: added } of changes) {
    const kept = byte + lengthOf(done, start);
    pieces.push(bytes.subarray(byte, kept), Buffer.from(added));
    byte = kept + lengthOf(start, end);
    done = end;
  }
  return [...pieces, bytes.subarray(byte)];
}

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
