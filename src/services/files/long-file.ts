/**
 * A long file that is to be edited. It stays where it is: the lines around an edit are found slice by slice, another
 * process looks at all of it where that has to be (`stage-aside`), and what an edit leaves as it was is copied from
 * file to file. So an edit takes no more memory than a slice, however long the file is.
 */
import { fstatSync } from 'node:fs';
import { Fault } from '../../contract/fault';
import { decodeText, type Encoding, encodingOf, type NotTextReason } from '../../text/encoding';
import { type Excerpt, linesAround, OnlyPlace } from '../../text/excerpt';
import { countNewlines } from '../../text/newlines';
import type { SparseLines } from '../../text/sparse-lines';
import { runGently } from '../../text/steps';
import { isSame, MAX_TEXT_BYTES, type OpenFile, readOpenFile } from './disk';
import type { LineIndexes } from './line-indexes';
import type { Pin } from './pin';
import { createSlices, eachSlice, readInto, SLOW_MS } from './slices';
import { notText, textOf } from './text-of-bytes';

export interface LongFile {
  readonly fd: number;
  readonly size: number;
  readonly encoding: Encoding;
  /** The lines around the only place where a string stands; undefined where there is none, or not so easily. */
  around(wanted: string): Promise<Excerpt | undefined>;
  /** The text in one piece, for whoever cannot do without. */
  whole(): Promise<string>;
  /** The same at once: everybody waits for it. */
  wholeAtOnce(): string;
  /** All of its bytes at once. */
  bytes(): Buffer;
  refuseTooLong(): void;
  notText(reason: NotTextReason): Fault;
}

/** From this size on. To edit a shorter file in memory takes less time. */
const MIN_BYTES = 8 * 1_048_576;

export function isLongFile(bytes: number): boolean {
  return bytes > MIN_BYTES;
}

export function longFile(pin: Pin, file: OpenFile, indexes: LineIndexes): LongFile {
  const { fd, stat } = file;
  const size = Number(stat.size);
  const bytesBetween = (from: number, to: number) => readInto(Buffer.allocUnsafeSlow(to - from), fd, from);
  const encoding = encodingOf(bytesBetween(0, 2));

  async function around(wanted: string): Promise<Excerpt | undefined> {
    const place = OnlyPlace.of(wanted);
    const lines = place && (await linesOfText());
    if (!lines) return undefined;
    const { desk } = indexes.counter();
    await eachSlice(createSlices(fd, desk, SLOW_MS), { size, sliceBytes: desk.length }, (slice) => {
      place.add(slice);
      return place.isElsewhere ? 'enough' : undefined;
    });
    const reach = place.reach(size);
    const found = reach && linesAround(bytesBetween(reach.from, reach.to), reach);
    if (!found) return undefined;
    const linesBefore = lineEndsBefore(found.from, lines);
    return {
      ...found,
      // biome-ignore lint/correctness/useYield: it is known already
      *linesBefore() {
        return linesBefore;
      },
      inPlace: (text) => bytesBetween(0, found.from) + text + bytesBetween(found.to, size),
    };
  }

  /** Undefined: lines cannot be told from the bytes. Where it is no text at all, that is the answer. */
  async function linesOfText(): Promise<SparseLines | undefined> {
    const index = await indexes.of(fd, stat);
    if (index.kind === 'not_text' && isSame(fstatSync(fd, { bigint: true }), stat)) throw notText(pin, index.reason);
    return index.kind === 'lines' ? index.lines : undefined;
  }

  function lineEndsBefore(offset: number, { chunkBytes, endsBefore }: SparseLines): number {
    const chunk = Math.floor(offset / chunkBytes);
    return (endsBefore[chunk] ?? 0) + countNewlines(bytesBetween(chunk * chunkBytes, offset));
  }

  return {
    fd,
    size,
    encoding,
    around,
    async whole() {
      const { bytes } = await readOpenFile(pin, file, { maxBytes: MAX_TEXT_BYTES });
      return runGently((await textOf(pin, bytes)).textSteps());
    },
    wholeAtOnce() {
      const decoded = decodeText(bytesBetween(0, size));
      if (!decoded.ok) throw notText(pin, decoded.reason);
      return decoded.text;
    },
    bytes: () => bytesBetween(0, size),
    notText: (reason) => notText(pin, reason),
    refuseTooLong() {
      if (size > MAX_TEXT_BYTES) throw new Fault('too_large', { path: pin.shown, bytes: size, limit: MAX_TEXT_BYTES });
    },
  };
}
