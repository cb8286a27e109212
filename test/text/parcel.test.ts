import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IncomingParcel, packParcel } from '../../src/text/parcel';

const part = fc.uint8Array({ maxLength: 20 });

it('a parcel arrives as it was sent, however it is cut on the way', () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.array(fc.array(part, { maxLength: 3 }), { maxLength: 4 }),
      cuts,
      (value, parts, by) => {
        const sent = Buffer.concat(packParcel(value, parts));
        const incoming = new IncomingParcel();
        for (let at = 0, turn = 0; at < sent.length; turn++) {
          expect(incoming.content()).toBeUndefined();
          const length = by[turn % by.length] ?? 1;
          incoming.add(sent.subarray(at, at + length));
          at += length;
        }
        const content = incoming.content();
        expect(JSON.stringify(content?.value)).toBe(JSON.stringify(value));
        expect(content?.parts.map((bytes) => bytes.toString('hex'))).toEqual(
          parts.map((pieces) => Buffer.concat(pieces).toString('hex')),
        );
      },
    ),
  );
});

it('more than a parcel holds is a mistake', () => {
  const incoming = new IncomingParcel();
  const sent = Buffer.concat([...packParcel('value', [[Buffer.from('part')]]), Buffer.from('!')]);
  expect(() => incoming.add(sent)).toThrow('More has come');
});
