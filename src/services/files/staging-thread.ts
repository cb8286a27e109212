/** What the other thread does (see `stage-aside`): it stages the edits that it was started with, says what came of it, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Encoding } from '../../text/encoding';
import { stageBytes } from '../../text/staged-bytes';
import { runAtOnce } from '../../text/steps';
import { memoryOf } from '../../text/text-pieces';

/** A long text comes as the pieces of its bytes: to hand over a string takes as long as to copy it. */
export type Packed = string | readonly Uint8Array[];

export interface ThreadOrder {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  readonly name: string;
  readonly edits: readonly { readonly old_string: Packed; readonly new_string: Packed }[];
}

const { bytes, encoding, name, edits } = workerData as ThreadOrder;
const unpacked = edits.map(({ old_string, new_string }) => ({
  old_string: unpack(old_string),
  new_string: unpack(new_string),
}));
const staged = runAtOnce(stageBytes(bytes, encoding, { name, edits: unpacked }));
const made = staged.ok ? [staged.diff, ...staged.splices.map((splice) => splice.bytes)] : [];
parentPort?.postMessage(staged, memoryOf(made));

function unpack(text: Packed): string {
  return typeof text === 'string' ? text : text.map((piece) => Buffer.from(piece).toString()).join('');
}
