/** A text under edit, and what an edit made of it: judged, wherever that is possible, without making all of either. */
import { Fault } from '../../contract/fault';
import type { EditedText, StagedAside } from '../../contract/ports';
import { type Encoding, encodedLength, isEncodable, startsAsUtf16 } from '../../text/encoding';
import { excerptSteps } from '../../text/excerpt';
import type { TextSize } from '../../text/find-replace';
import { LongText } from '../../text/long-text';
import { differsAtOnce, keepsCharacters, type Splice, splicedPieces } from '../../text/spliced-bytes';
import { runGently } from '../../text/steps';
import { isLarge, yieldToLoop } from '../../text/yield-to-loop';
import type { LongFile } from './long-file';
import type { Pin } from './pin';
import type { AsideAnswer, StageAside } from './stage-aside';
import type { NewText, ProvidedText } from './text-provider';

/** A unit of a text never takes more in any encoding. */
const MAX_BYTES_PER_UNIT = 3;

/** `stage`: how edits are staged in another process, where there is one. */
export function editedText(current: ProvidedText, stage?: StageAside): EditedText {
  const { raw, encoding, file } = current;
  if (file) return editedFile(file, stage);
  return {
    async whole() {
      if (!raw || !isLarge(raw)) return current.text;
      if (current.textSteps) await runGently(current.textSteps());
      // The engine joins what there is in one go.
      await yieldToLoop();
      return current.text;
    },
    async around(wanted) {
      return raw && encoding === 'utf-8' ? runGently(excerptSteps(raw, wanted)) : undefined;
    },
    async aside(order) {
      const staged = raw && (await stage?.({ raw }, order));
      return staged && stagedAside(staged, { bytes: () => raw, encoding });
    },
  };
}

function editedFile(file: LongFile, stage: StageAside | undefined): EditedText {
  return {
    whole: file.whole,
    around: file.around,
    async aside(order) {
      file.refuseTooLong();
      const staged = await stage?.(file, order);
      if (staged && 'notText' in staged) throw file.notText(staged.notText);
      return staged && stagedAside(staged, file);
    },
  };
}

function stagedAside(
  staged: AsideAnswer,
  { bytes, encoding }: { bytes(): Uint8Array; readonly encoding: Encoding },
): StagedAside {
  if ('notText' in staged) throw new Error('what was decoded before is no text');
  if (!staged.ok) return staged;
  return {
    ...staged,
    get text() {
      return new LongText(Buffer.concat(splicedPieces(bytes(), staged.splices)), encoding).toString();
    },
  };
}

export function isInVain(next: NewText, current: ProvidedText): boolean {
  const { changes, within, splices } = next;
  if (splices) return splices.length === 0;
  if (next.size && next.size.units !== current.text.length) return false;
  // What one change does, no other can undo.
  if (changes?.length === 1) return false;
  if (changes && differsAtOnce((within ?? current).text, changes)) return false;
  return next.text === current.text;
}

export function refuseUnfit(pin: Pin, next: NewText, current: ProvidedText, limit: number): void {
  if (next.splices) return void refuseUnfitBytes(pin, next.splices, current, limit);
  if (next.size) refuseTooLong(pin, next.size, current.encoding, limit);
  if (isSurelyFit(next, current, limit)) return;
  const { text } = next;
  const { encoding } = current;
  if (!isEncodable(text, encoding)) throw unmarked(pin, encoding);
  if (text.length * MAX_BYTES_PER_UNIT <= limit) return;
  const bytes = encodedLength(text, encoding);
  if (bytes > limit) throw new Fault('too_large', { path: pin.shown, bytes, limit });
}

function refuseTooLong(pin: Pin, size: TextSize, encoding: Encoding, limit: number): void {
  const bytes = encoding === 'utf-8' ? size.bytes : 2 * size.units;
  if (bytes > limit) throw new Fault('too_large', { path: pin.shown, bytes, limit });
}

function refuseUnfitBytes(pin: Pin, splices: readonly Splice[], current: ProvidedText, limit: number): void {
  const bytes = splices.reduce((sum, { from, to, bytes: { length } }) => sum + length - (to - from), current.bytes);
  if (bytes > limit) throw new Fault('too_large', { path: pin.shown, bytes, limit });
  const [first] = splices;
  if (current.encoding !== 'utf-8' && first?.from === 0 && !startsAsUtf16(first.bytes))
    throw unmarked(pin, current.encoding);
}

function unmarked(pin: Pin, encoding: Encoding): Fault {
  return new Fault('invalid_argument', {
    parameter: 'path',
    problem: `the edit would leave ${pin.shown} without the byte order mark by which ${encoding} is known`,
  });
}

/** Told from the changes alone, so that the new text need not be made. */
function isSurelyFit({ changes, within }: NewText, current: ProvidedText, limit: number): boolean {
  if (!changes) return false;
  // The byte order mark, by which UTF-16 is known, is the first character.
  if (current.encoding !== 'utf-8' && changes.some(({ start }) => start === 0)) return false;
  const added = changes.reduce((sum, { text }) => sum + text.length, 0);
  return current.bytes + added * MAX_BYTES_PER_UNIT <= limit && keepsCharacters((within ?? current).text, changes);
}
