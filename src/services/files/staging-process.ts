/**
 * What the other process does (see `stage-aside`): it is given edits, and the text beside them or as an open file, says
 * what comes of it, and ends.
 */
import { fstatSync } from 'node:fs';
import { decodeText, type NotTextReason } from '../../text/encoding';
import { IncomingParcel, type Parcel, packParcel } from '../../text/parcel';
import { type StagedBytes, stageBytes } from '../../text/staged-bytes';
import { runAtOnce } from '../../text/steps';
import { readInto } from './slices';

/** A long text is a part of the parcel, and this is its number. */
export type Packed = string | number;

export interface ProcessOrder {
  readonly name: string;
  readonly edits: readonly { readonly old_string: Packed; readonly new_string: Packed }[];
  /** Which part of the parcel is the text; without it, the text is in the file that was handed over. */
  readonly text?: number | undefined;
}

export type ProcessAnswer =
  | { readonly notText: NotTextReason }
  | Extract<StagedBytes, { ok: false }>
  /** The diff and the bytes of each splice are the parts of the parcel. */
  | (Pick<Extract<StagedBytes, { ok: true }>, 'ok' | 'ranges'> & {
      readonly splices: readonly { readonly from: number; readonly to: number }[];
    });

/** After the three that every process has. */
const HANDED_FILE = 3;

void serveOrder();

async function serveOrder(): Promise<void> {
  const incoming = new IncomingParcel();
  for await (const chunk of process.stdin) incoming.add(chunk);
  const order = incoming.content();
  if (!order) throw new Error('The order is not complete');
  for (const piece of answerTo(order)) process.stdout.write(piece);
}

function answerTo({ value, parts }: Parcel): Uint8Array[] {
  const { name, text, edits } = value as ProcessOrder;
  const bytes = text === undefined ? readHandedFile() : partOf(parts, text);
  const decoded = decodeText(bytes);
  if (!decoded.ok) return pack({ notText: decoded.reason });
  const unpack = (packed: Packed) => (typeof packed === 'string' ? packed : partOf(parts, packed).toString());
  const unpacked = edits.map((edit) => ({
    old_string: unpack(edit.old_string),
    new_string: unpack(edit.new_string),
  }));
  const staged = runAtOnce(stageBytes(bytes, decoded.encoding, { name, edits: unpacked }));
  if (!staged.ok) return pack(staged);
  const { ok, ranges, splices, diff } = staged;
  const places = splices.map(({ from, to }) => ({ from, to }));
  return pack({ ok, ranges, splices: places }, [diff, ...splices.map((splice) => splice.bytes)]);
}

function pack(answer: ProcessAnswer, parts: readonly Uint8Array[] = []): Uint8Array[] {
  return packParcel(
    answer,
    parts.map((part) => [part]),
  );
}

function partOf(parts: readonly Buffer[], number: number): Buffer {
  const part = parts[number];
  if (!part) throw new Error(`There is no part ${number}`);
  return part;
}

function readHandedFile(): Buffer {
  return readInto(Buffer.allocUnsafeSlow(fstatSync(HANDED_FILE).size), HANDED_FILE, 0);
}
