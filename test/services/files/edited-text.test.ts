/** What a long text becomes is judged by its bytes: nobody makes the text for that. */
import { expect, it } from 'vitest';
import { refuseUnfit } from '../../../src/services/files/edited-text';
import type { Pin } from '../../../src/services/files/pin';
import type { ProvidedText } from '../../../src/services/files/text-provider';
import type { Encoding } from '../../../src/text/encoding';
import type { Splice } from '../../../src/text/spliced-bytes';

/** With a text that nobody may ask for. */
function textless<T extends object>(members: T): T & { readonly text: string; tell(): void } {
  const never = {
    get text(): string {
      throw new Error('the text was made');
    },
    tell() {},
  };
  return Object.assign(Object.create(never), members);
}

function judge(text: string, encoding: Encoding, splices: readonly Splice[], limit = 100): () => void {
  const raw = Buffer.from(text, encoding === 'utf-8' ? 'utf8' : 'utf16le');
  const current: ProvidedText = textless({ raw, bytes: raw.length, encoding, via: 'disk', version: undefined });
  return () => refuseUnfit({ shown: 'f' } as Pin, textless({ splices }), current, limit);
}

it('a text that would be too large is refused, to the byte', () => {
  const splice = { from: 1, to: 3, bytes: Buffer.alloc(7) };
  expect(judge('12345', 'utf-8', [splice], 10)).not.toThrow();
  expect(judge('12345', 'utf-8', [splice], 9)).toThrow(
    expect.objectContaining({ kind: 'too_large', facts: { path: 'f', bytes: 10, limit: 9 } }),
  );
});

it('UTF-16 must keep the mark by which it is known', () => {
  const marked = '\ufeffab';
  const bytes = (text: string) => Buffer.from(text, 'utf16le');
  expect(judge(marked, 'utf-16le', [{ from: 2, to: 4, bytes: bytes('x') }])).not.toThrow();
  expect(judge(marked, 'utf-16le', [{ from: 0, to: 4, bytes: bytes('\ufeffx') }])).not.toThrow();
  for (const added of ['', 'x'])
    expect(judge(marked, 'utf-16le', [{ from: 0, to: 2, bytes: bytes(added) }])).toThrow(
      expect.objectContaining({ kind: 'invalid_argument' }),
    );
});
