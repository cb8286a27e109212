/** What another thread makes of bytes is what is made of the text in place. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Encoding, encodeSteps } from '../../src/text/encoding';
import { splicedPieces } from '../../src/text/spliced-bytes';
import { stageBytes } from '../../src/text/staged-bytes';
import { applyEdits } from '../../src/text/staged-file';
import { explainFailure } from '../../src/text/staging';
import { runAtOnce } from '../../src/text/steps';
import { unifiedDiff } from '../../src/text/unified-diff';

const piece = fc.constantFrom('a', 'b', 'ab', '\n', '\r\n', 'ü', '€', '😀', ' ');
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
const some = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
const edits = fc.array(fc.record({ old_string: some, new_string: some }), { minLength: 1, maxLength: 4 });
const encodings: Encoding[] = ['utf-8', 'utf-16le', 'utf-16be'];

test.each(encodings)('edits of bytes in %s and edits of the text say the same', (encoding) => {
  const mark = encoding === 'utf-8' ? '' : '\ufeff';
  const bytesOf = (whole: string) => Buffer.concat(runAtOnce(encodeSteps(whole, encoding)));
  fc.assert(
    fc.property(text, edits, (words, order) => {
      const original = mark + words;
      const bytes = bytesOf(original);
      const staged = runAtOnce(stageBytes(bytes, encoding, { name: 'f', edits: order }));
      const inPlace = applyEdits(original, order);
      if (!inPlace.ok || !staged.ok) {
        const failure = inPlace.ok ? undefined : runAtOnce(explainFailure(inPlace.failure, order));
        expect(staged).toEqual({ ok: false, failure });
        return;
      }
      expect(Buffer.concat(splicedPieces(bytes, staged.splices))).toEqual(bytesOf(inPlace.text));
      expect(staged.splices.length === 0).toBe(inPlace.text === original);
      expect(staged.ranges).toEqual(inPlace.ranges);
      expect(Buffer.from(staged.diff).toString()).toBe(unifiedDiff('f', original, inPlace.changes));
    }),
    { numRuns: 500 },
  );
});
