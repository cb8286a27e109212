/**
 * Edits of a text that is given as its bytes, and comes back as what changes in them: for whoever has a whole thread
 * to do it in, and nobody who waits for the loop.
 */
import { isAscii } from 'node:buffer';
import { type Encoding, joinSteps } from './encoding';
import { differsAtOnce, type Splice, splicesOf } from './spliced-bytes';
import { applySteps, type LineRange, type StagedEdit } from './staged-file';
import { type EditsDone, type ExplainedFailure, explainFailure, tellSteps } from './staging';
import type { Steps } from './steps';
import { bufferOf } from './text-pieces';

export type StagedBytes =
  | {
      readonly ok: true;
      /** What turns the old bytes into the new; none where the text stays as it was. */
      readonly splices: readonly Splice[];
      readonly ranges: readonly LineRange[];
      /** In UTF-8. */
      readonly diff: Uint8Array;
    }
  | { readonly ok: false; readonly failure: ExplainedFailure };

/** `bytes` are text in this encoding. */
export function* stageBytes(
  bytes: Uint8Array,
  encoding: Encoding,
  { name, edits }: { readonly name: string; readonly edits: readonly StagedEdit[] },
): Steps<StagedBytes> {
  const original = yield* joinSteps(bufferOf(bytes), isAscii(bytes) ? 'ascii' : encoding);
  const staged = yield* applySteps(original, edits);
  if (!staged.ok) return { ok: false, failure: yield* explainFailure(staged.failure, edits) };
  const { ranges, diff } = yield* tellSteps(name, original, staged);
  const isVain = isInVain(original, staged);
  const splices = isVain ? [] : splicesOf({ text: original, length: bytes.length, encoding }, staged.changes);
  return { ok: true, splices, ranges, diff: yield* bytesOf(diff) };
}

/** Whether one change does what another undoes. */
function isInVain(original: string, staged: EditsDone): boolean {
  const { changes } = staged;
  return changes.length !== 1 && !differsAtOnce(original, changes) && staged.text === original;
}

/** None of the parts is long. */
function* bytesOf(parts: readonly string[]): Steps<Uint8Array> {
  const bytes: Uint8Array[] = [];
  for (let from = 0; from < parts.length; from += PARTS_PER_STEP) {
    bytes.push(Buffer.from(parts.slice(from, from + PARTS_PER_STEP).join('')));
    yield;
  }
  return Buffer.concat(bytes);
}

const PARTS_PER_STEP = 64;
