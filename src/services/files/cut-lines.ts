/**
 * Some lines of a file. A small file is read as a whole. Of a large one the line index tells which chunks the lines are
 * in, and only those are read; the file is looked at before and after, and all is done anew where it changed.
 */
import { fstatSync } from 'node:fs';
import { Fault } from '../../contract/fault';
import type { Lines, LineWindow } from '../../contract/ports';
import { type DecodedText, decodeSteps, decodeText, type Encoding } from '../../text/encoding';
import { countLines, countPieces, cutWindow, placeSteps, type TextWindow, windowSteps } from '../../text/lines';
import { LongText } from '../../text/long-text';
import { byteLineSteps, countByteLines, type NewlineCounter } from '../../text/newlines';
import { cutStretch, type SparseLines, type Stretch, stretchOf } from '../../text/sparse-lines';
import { runGently } from '../../text/steps';
import { isLarge, yieldToLoop } from '../../text/yield-to-loop';
import { isSame, MAX_TEXT_BYTES, type OpenFile, openFile, readOpenFile, readRange } from './disk';
import type { LineIndexes } from './line-indexes';
import type { Pin } from './pin';
import { readInto } from './slices';
import { type Decoded, notText, textOf } from './text-of-bytes';

/** Up to this, a file that is wanted as a whole is read once; the index would read it twice. */
const MAX_WHOLE_BYTES = 16 * 1_048_576;
const MAX_ATTEMPTS = 3;
/** Which the processor has at hand, and which need no memory of their own. */
const PIECE_CHARACTERS = 65_536;

type FileWindow = Omit<TextWindow, 'content'> & Pick<Lines, 'content'>;

export async function cutLines(pin: Pin, window: LineWindow, indexes: LineIndexes): Promise<FileWindow> {
  const file = openFile(pin);
  try {
    const most = isWhole(window) ? MAX_WHOLE_BYTES : indexes.chunkBytes;
    if (Number(file.stat.size) <= most) return await cutFromWhole(pin, file, window, indexes);
    return (await cutByIndex(pin, file, window, indexes)) ?? (await cutFromWhole(pin, file, window, indexes));
  } finally {
    file.close();
  }
}

function isWhole({ line, limit }: LineWindow): boolean {
  return line === 1 && limit === undefined;
}

async function cutFromWhole(pin: Pin, file: OpenFile, window: LineWindow, indexes: LineIndexes): Promise<FileWindow> {
  const reading = readOpenFile(pin, file, { maxBytes: MAX_TEXT_BYTES, isBrief: true });
  // Most files are small, and there already: to wait for what is there takes as long as to read it.
  const { bytes, letGo } = reading instanceof Promise ? await reading : reading;
  const counter = bytes.length > indexes.chunkBytes ? indexes.counter().count : undefined;
  try {
    const decoding = textOf(pin, bytes);
    const decoded = decoding instanceof Promise ? await decoding : decoding;
    if (!isWhole(window)) return await cutText(bytes, decoded, window);
    const content = LongText.isWorthIt(bytes) ? new LongText(bytes, decoded.encoding) : decoded.text;
    if (isLarge(bytes)) return told(content, await countGently(bytes, decoded.encoding, indexes.counter()));
    return told(content, decoded.encoding === 'utf-8' ? countByteLines(bytes, counter) : countLines(decoded.text));
  } finally {
    letGo();
  }
}

function told(content: string | LongText, lines: number): FileWindow {
  return { content, totalLines: lines, returnedLines: lines };
}

function countGently(bytes: Uint8Array, encoding: Encoding, counter: NewlineCounter): Promise<number> {
  if (encoding === 'utf-8') return runGently(byteLineSteps(bytes, counter.count));
  return runGently(countPieces(new LongText(bytes, encoding).pieces(PIECE_CHARACTERS)));
}

async function cutText(bytes: Uint8Array, decoded: Decoded, window: LineWindow): Promise<FileWindow> {
  if (!isLarge(bytes)) return cutWindow(decoded.text, window);
  if (decoded.encoding !== 'utf-8') return cutUtf16(bytes, decoded.encoding, window);
  const text = await runGently(decoded.textSteps());
  await yieldToLoop();
  return runGently(windowSteps(text, window));
}

/** By the pieces: two bytes are a unit of the text. */
async function cutUtf16(bytes: Uint8Array, encoding: Encoding, window: LineWindow): Promise<FileWindow> {
  const pieces = new LongText(bytes, encoding).pieces(PIECE_CHARACTERS);
  const { start, end, totalLines, returnedLines } = await runGently(placeSteps(pieces, window));
  const wanted = bytes.subarray(2 * start, 2 * end);
  const content = new LongText(wanted, encoding);
  return { content: LongText.isWorthIt(wanted) ? content : content.toString(), totalLines, returnedLines };
}

/** Undefined: the lines are not to be had this way, because it is UTF-16 or changes all the time. */
async function cutByIndex(
  pin: Pin,
  { fd, stat: first }: OpenFile,
  window: LineWindow,
  indexes: LineIndexes,
): Promise<FileWindow | undefined> {
  for (let attempt = 1, before = first; attempt <= MAX_ATTEMPTS; attempt++) {
    const index = await indexes.of(fd, before);
    const found = index.kind === 'lines' ? await readLines(pin, fd, index.lines, window, indexes) : undefined;
    const after = fstatSync(fd, { bigint: true });
    const isUnchanged = isSame(after, before);
    before = after;
    if (!isUnchanged) continue;
    if (index.kind === 'not_text') throw notText(pin, index.reason);
    if (found !== undefined || index.kind === 'utf16') return found;
  }
  return undefined;
}

/** Undefined: the file does not have the lines that it had. */
async function readLines(
  pin: Pin,
  fd: number,
  lines: SparseLines,
  window: LineWindow,
  indexes: LineIndexes,
): Promise<FileWindow | undefined> {
  const { totalLines } = lines;
  const stretch = stretchOf(lines, window);
  if (stretch === undefined) return { content: '', totalLines, returnedLines: 0 };
  refuseTooLong(pin, stretch, lines.bytes);
  const { desk } = indexes.counter();
  const length = stretch.to - stretch.from;
  const bytes =
    length > desk.length ? await readRange(fd, stretch) : readInto(desk.subarray(0, length), fd, stretch.from);
  const wanted = cutStretch(bytes, stretch);
  const content = wanted && (length > desk.length ? await longContent(wanted) : contentOf(decodeText(wanted)));
  return content === undefined ? undefined : { content, totalLines, returnedLines: stretch.returnedLines };
}

/** Made at once: what lies on the desk is gone after the next wait. */
function contentOf(decoded: DecodedText): string | undefined {
  return decoded.ok ? decoded.text : undefined;
}

async function longContent(bytes: Uint8Array): Promise<string | LongText | undefined> {
  const decoded = await runGently(decodeSteps(bytes));
  return decoded.ok && LongText.isWorthIt(bytes) ? new LongText(bytes, decoded.encoding) : contentOf(decoded);
}

function refuseTooLong({ shown: path }: Pin, { from, to }: Stretch, bytes: number): void {
  if (to - from > MAX_TEXT_BYTES) throw new Fault('too_large', { path, bytes, limit: MAX_TEXT_BYTES });
}
