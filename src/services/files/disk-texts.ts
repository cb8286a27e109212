/** The disk as a provider of texts: the last one to be asked, and the one that always answers. */
import { type BigIntStats, close } from 'node:fs';
import { promisify } from 'node:util';
import { Fault } from '../../contract/fault';
import { decodeText, type Encoding, encodeSteps } from '../../text/encoding';
import type { Text } from '../../text/pieced-text';
import { joinShort, keepsCharacters, type Splice, splicedPieces, splicesOf } from '../../text/spliced-bytes';
import { runGently } from '../../text/steps';
import { isLarge, yieldToLoop } from '../../text/yield-to-loop';
import type { Anchor } from './anchor';
import { replaceFile, sweepTemporaries } from './atomic-write';
import { cutLines } from './cut-lines';
import {
  type FileBytes,
  kindOf,
  lookAt,
  MAX_TEXT_BYTES,
  type OpenFile,
  openFile,
  type ReadOptions,
  readBytes,
  readOpenFile,
} from './disk';
import { errnoOf, withFaults } from './errno';
import type { LineIndexes } from './line-indexes';
import { isLongFile, type LongFile, longFile } from './long-file';
import type { PendingWrites } from './pending-writes';
import type { Pin } from './pin';
import { type Decoded, textOf } from './text-of-bytes';
import type { NewText, ProvidedText, TextProvider } from './text-provider';
import { lengthOf, type Piece } from './write-pieces';

const closeAsync = promisify(close);
const MAX_PIECES = 16;

export function diskTexts(pending: PendingWrites, indexes: LineIndexes): TextProvider {
  const swept = new Set<string>();
  return {
    async read(pin, options) {
      const file = openFile(pin);
      let isKept = false;
      try {
        if (!isLeftUnread(pin, file, options)) return await provide(pin, await readOpenFile(pin, file, options));
        const provided = provideFile(file, longFile(pin, file, indexes));
        isKept = true;
        return provided;
      } finally {
        if (!isKept) file.close();
      }
    },
    async readLines(pin, window) {
      const { content, totalLines, returnedLines } = await cutLines(pin, window, indexes);
      return { content, totalLines, returnedLines, via: 'disk' };
    },
    async write(pin, next, { encoding, basedOn, maxBytes: limit = MAX_TEXT_BYTES }) {
      const there = lookAt(pin);
      refuseUnwritable(pin, there);
      const pieces =
        (await spliced(next, basedOn)) ?? (await encodeNew(pin, next.pieced ?? next.text, encoding, there));
      const bytes = lengthOf(pieces);
      if (bytes > limit && !basedOn?.file) throw new Fault('too_large', { path: pin.shown, bytes, limit });
      if (isLarge({ length: bytes })) await yieldToLoop();
      const isBased = basedOn?.via === 'disk';
      const previous = isBased ? (basedOn.version as BigIntStats) : there;
      const isWritten = await withFaults(pin.shown, bytes, () =>
        replaceFile(pin, pieces, { previous, onlyIfSame: isBased, pending }),
      );
      sweepOnce(pin.directory);
      return isWritten ? { bytes, created: there === undefined, via: 'disk' } : 'changed';
    },
  };

  /** The write does not wait for it: the directory may be large. */
  function sweepOnce(directory: Anchor): void {
    const { dev, ino } = directory.identity();
    const key = `${dev}:${ino}`;
    if (swept.has(key)) return;
    swept.add(key);
    void sweep(directory.share());
  }
}

/** Of no consequence where it does not succeed. */
async function sweep(directory: Anchor): Promise<void> {
  await yieldToLoop();
  try {
    await runGently(sweepTemporaries(directory, Date.now()));
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
  } finally {
    directory.close();
  }
}

/** Where it is long, only looked at for a while, as for an edit, and ours to close. Windows replaces no open file. */
function isLeftUnread(pin: Pin, { stat }: OpenFile, { isBrief = false, maxBytes }: ReadOptions): boolean {
  const size = Number(stat.size);
  const isOurs = pin.opened === undefined && process.platform !== 'win32';
  return isOurs && isBrief && isLongFile(size) && size <= maxBytes;
}

function provideFile({ fd, stat }: OpenFile, file: LongFile): ProvidedText {
  return {
    get text() {
      return file.wholeAtOnce();
    },
    encoding: file.encoding,
    bytes: file.size,
    file,
    via: 'disk',
    version: stat,
    // By another thread: where its last name was taken away meanwhile, it is freed now, and that takes a while.
    letGo: () => closeAsync(fd),
  };
}

async function provide(pin: Pin, file: FileBytes): Promise<ProvidedText> {
  try {
    return provideBytes(file, await textOf(pin, file.bytes));
  } catch (thrown) {
    file.letGo();
    throw thrown;
  }
}

function provideBytes({ bytes, stat, letGo }: FileBytes, decoded: Decoded): ProvidedText {
  let isGone = false;
  const refuseGone = () => {
    if (isGone) throw new Error('the bytes of this text were let go of');
  };
  return {
    get text() {
      refuseGone();
      return decoded.text;
    },
    textSteps() {
      refuseGone();
      return decoded.textSteps();
    },
    encoding: decoded.encoding,
    bytes: bytes.length,
    raw: bytes,
    via: 'disk',
    version: stat,
    letGo() {
      isGone = true;
      letGo();
      return undefined;
    },
  };
}

/** Where the old bytes and the changes are known, only the changes are encoded. */
async function spliced(next: NewText, basedOn: ProvidedText | undefined): Promise<Piece[] | undefined> {
  const { raw, file } = basedOn ?? {};
  const splices = basedOn && (raw || file) && (next.splices ?? splicesFor(next, basedOn));
  if (!splices) return undefined;
  if (!raw) return file && splicedFile(file, splices);
  const pieces = splicedPieces(raw, splices);
  // Each piece is a system call; many are cheaper to copy.
  return pieces.length > MAX_PIECES ? runGently(joinShort(pieces)) : pieces;
}

function splicedFile({ fd, size }: LongFile, splices: readonly Splice[]): Piece[] {
  const starts = [0, ...splices.map(({ to }) => to)];
  const ends = [...splices.map(({ from }) => from), size];
  return starts.flatMap((from, index) => {
    const stays = { fd, from, length: (ends[index] ?? size) - from };
    const added = splices[index]?.bytes;
    return added ? [stays, added] : [stays];
  });
}

function splicesFor({ changes, within }: NewText, basedOn: ProvidedText): Splice[] | undefined {
  const { encoding } = basedOn;
  if (!changes || encoding !== 'utf-8') return undefined;
  const { text, from, to } = within ?? { text: basedOn.text, from: 0, to: basedOn.bytes };
  if (!keepsCharacters(text, changes)) return undefined;
  return splicesOf({ text, length: to - from, encoding, from }, changes);
}

async function encodeNew(
  pin: Pin,
  text: Text,
  encoding: Encoding | 'keep',
  there: BigIntStats | undefined,
): Promise<Uint8Array[]> {
  return runGently(encodeSteps(text, encoding === 'keep' ? await encodingToKeep(pin, text, there) : encoding));
}

/** A file in UTF-16 stays in UTF-16 where the new text brings the byte order mark along; all else is UTF-8. */
async function encodingToKeep(pin: Pin, text: Text, there: BigIntStats | undefined): Promise<Encoding> {
  if (!there || !text.startsWith('\uFEFF')) return 'utf-8';
  const { bytes } = await readBytes(pin, { maxBytes: MAX_TEXT_BYTES });
  const decoded = decodeText(bytes);
  return decoded.ok ? decoded.encoding : 'utf-8';
}

function refuseUnwritable(pin: Pin, there: BigIntStats | undefined): void {
  if (pin.name === '' || there?.isDirectory()) throw new Fault('is_directory', { path: pin.shown });
  if (pin.isDirectory)
    throw new Fault('invalid_path', { path: pin.shown, problem: 'it ends with a slash, but a file is to be written' });
  if (there && !there.isFile()) throw new Fault('not_a_file', { path: pin.shown, found: kindOf(there) });
}
