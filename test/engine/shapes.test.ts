/** What is accepted without zod, and what zod makes of the same: the same values, and nothing that zod refuses. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accept, DOUBTFUL, type NamedMember, type Shape, type Shapes } from '../../src/contract/shape';
import shapes from '../../src/tools/shapes.generated.json';
import { toolsets } from '../../src/tools/toolsets';

const contracts = toolsets.flatMap((set) => set.tools.map(({ contract }) => contract));
const shaped = contracts.filter(({ name }) => Object.hasOwn(shapes, name));

const text = fc.oneof(
  fc.constantFrom(
    '',
    '.',
    '/tmp/a',
    '/',
    'a/b',
    '..',
    'C:\\a',
    '//server/share',
    '/a\0b',
    '\ud800',
    '/\udc00',
    'x y',
    'ünï',
  ),
  fc.constantFrom('x'.repeat(400), 'x'.repeat(401), '🪵'.repeat(400), '🪵'.repeat(401)),
  fc.string({ unit: 'binary' }),
);
const number = fc.oneof(
  fc.constantFrom(0, -0, -1, 1, 2, 99, 100, 1023, 1024, 2000, 2001, 60_000, 60_001, 262_145, 1_048_576, 1_048_577),
  fc.constantFrom(1.5, 1e6, 1_000_001, 2 ** 53 - 1, 2 ** 53, 1e300),
  fc.integer(),
);
const odd = fc.oneof(
  fc.constant(null),
  text,
  number,
  fc.array(text),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
);

/** By the names of the parameters, and mostly of the right type: bare chance would hardly ever be right. */
function valueFor(shape: Shape): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 30, arbitrary: rightFor(shape) }, { weight: 1, arbitrary: odd });
}

function rightFor(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.type) {
    case 'text':
      return fc.oneof({ weight: 4, arbitrary: fc.stringMatching(/^\/[a-z]{1,9}$/) }, { weight: 1, arbitrary: text });
    case 'integer': {
      const { min = -9, max = 1e9 } = shape;
      return fc.oneof({ weight: 4, arbitrary: fc.integer({ min, max }) }, { weight: 1, arbitrary: number });
    }
    case 'boolean':
      return fc.boolean();
    case 'list':
      return fc.oneof(
        { weight: 9, arbitrary: fc.array(valueFor(shape.of), { maxLength: 3 }) },
        { weight: 1, arbitrary: fc.array(fc.constant('x'), { minLength: 63, maxLength: 66 }) },
      );
    case 'object':
      return objectFor(shape.members);
  }
}

function objectFor(members: readonly NamedMember[]): fc.Arbitrary<object> {
  const values = Object.fromEntries(members.map((member) => [member.name, valueFor(member)]));
  const whole = fc.record(values);
  const partial = fc.record(values, { requiredKeys: [] });
  const extra = fc.dictionary(fc.constantFrom('extra', 'constructor', 'toString', 'PATH', ''), odd, { maxKeys: 1 });
  const crowded = fc.tuple(whole, extra).map(([one, other]) => ({ ...one, ...other }));
  return fc.oneof({ weight: 3, arbitrary: whole }, partial, crowded);
}

describe('the shape of', () => {
  it.each(shaped.map((contract) => [contract.name, contract] as const))(
    '%s accepts what zod accepts, as zod gives it, and nothing else',
    (name, contract) => {
      const shape = (shapes as Shapes)[name] as Shapes[string];
      const schema = contract.input();
      const answers = { accepted: 0, doubtful: 0 };
      const check = (given: unknown) => {
        const accepted = accept(shape, given);
        const parsed = schema.safeParse(given);
        answers[accepted === DOUBTFUL ? 'doubtful' : 'accepted'] += 1;
        expect(accepted).toStrictEqual(parsed.success ? parsed.data : DOUBTFUL);
      };
      for (const { input } of contract.examples) check(input);
      fc.assert(fc.property(valueFor(shape), check), { numRuns: 1000 });
      expect(answers).toEqual({ accepted: expect.toSatisfy((n) => n > 20), doubtful: expect.toSatisfy((n) => n > 20) });
    },
  );

  it('every tool is known but the one whose entry must be JSON', () => {
    const names = contracts.map(({ name }) => name).filter((name) => name !== 'write_memory_entry');
    expect(shaped.map(({ name }) => name)).toEqual(names);
  });
});
