/**
 * Stages the edits of a long text in another thread. To make one string of tens of megabytes, to look through it and to
 * put its diff together keeps whoever does it for long, some of it in one go. The thread has the very bytes that were
 * read, not a copy, and ends when it is done: to start one takes as long as to edit a few megabytes.
 */
import { Worker } from 'node:worker_threads';
import { type Encoding, encodeSteps } from '../../text/encoding';
import type { Text } from '../../text/pieced-text';
import type { StagedBytes } from '../../text/staged-bytes';
import type { OrderedEdit, StagingOrder } from '../../text/staging';
import { runGently, type Steps } from '../../text/steps';
import { memoryOf } from '../../text/text-pieces';
import { isLarge } from '../../text/yield-to-loop';
import type { Packed, ThreadOrder } from './staging-thread';

/** Undefined: there is too little to do, or no thread can be had. */
export type StageAside = (
  text: { readonly raw: Uint8Array; readonly encoding: Encoding },
  order: StagingOrder,
) => Promise<StagedBytes | undefined>;

/** From here on, text and edits together, another thread is worth its start. */
const MIN_LENGTH = 8 * 1_048_576;

/** Whether a file of this size is read so that another thread can have it. */
export function isForAside(bytes: number): boolean {
  return bytes > MIN_LENGTH;
}

/** `threadFile`: what `staging-thread` was built as. */
export function createStageAside(threadFile: string): StageAside {
  return async ({ raw, encoding }, { name, edits }) => {
    const length = edits.reduce((sum, edit) => sum + edit.old_string.length + edit.new_string.length, raw.length);
    if (length < MIN_LENGTH) return undefined;
    const packed = await runGently(packSteps(edits));
    return runThread(threadFile, { bytes: shared(raw), encoding, name, edits: packed });
  };
}

function* packSteps(edits: readonly OrderedEdit[]): Steps<ThreadOrder['edits']> {
  const packed: ThreadOrder['edits'][number][] = [];
  for (const { old_string, new_string } of edits)
    packed.push({ old_string: yield* packText(old_string), new_string: yield* packText(new_string) });
  return packed;
}

function* packText(text: Text): Steps<Packed> {
  return typeof text === 'string' && !isLarge(text) ? text : yield* encodeSteps(text);
}

/** A file of that size is read into shared memory; only a short one, whose edits are long, has to be copied. */
function shared(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes;
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

function runThread(file: string, order: ThreadOrder): Promise<StagedBytes | undefined> {
  return new Promise((resolve, reject) => {
    // Without the flags of this process: what was loaded into it has no business there.
    const thread = new Worker(file, { workerData: order, transferList: memoryOf(packedPieces(order)), execArgv: [] });
    thread.once('message', resolve);
    thread.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_INIT_FAILED') resolve(undefined);
      else reject(error);
    });
    thread.once('exit', (code) => reject(new Error(`The thread ended with ${code} and said nothing`)));
  });
}

/** The pieces of the packed texts: nobody else needs them. */
function packedPieces({ edits }: ThreadOrder): Uint8Array[] {
  const texts = edits.flatMap(({ old_string, new_string }) => [old_string, new_string]);
  return texts.flatMap((text) => (typeof text === 'string' ? [] : text));
}
