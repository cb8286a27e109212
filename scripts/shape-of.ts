/** From a zod schema to the same as plain data; undefined where it holds something that data cannot say. */
import type * as z from 'zod';
import { RULES } from '../src/contract/rules';
import type { Member, NamedMember, Shape } from '../src/contract/shape';

/** What zod keeps of a schema or a check, as far as it is looked at here. */
interface Definition {
  readonly type?: string;
  readonly check?: string;
  readonly format?: string;
  readonly checks?: readonly { _zod: { def: Definition } }[];
  readonly innerType?: z.core.$ZodType;
  readonly defaultValue?: unknown;
  readonly element?: z.core.$ZodType;
  readonly shape?: Record<string, z.core.$ZodType>;
  readonly catchall?: z.core.$ZodType;
  readonly fn?: ((value: never) => boolean) & { maxCharacters?: number };
  readonly value?: number;
  readonly inclusive?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: RegExp;
}

/** What the shape of a type can say besides its type. */
const SAYABLE: Record<string, readonly string[]> = {
  text: ['minLength', 'maxCharacters', 'pattern'],
  integer: ['min', 'max'],
  list: ['max'],
};

export function shapeOf(schema: z.core.$ZodType): Member | undefined {
  const definition = definitionOf(schema);
  if (definition.innerType) return wrapped(definition, definition.innerType);
  const type = typeOf(definition);
  const limits = (definition.checks ?? []).map(({ _zod }) => limitOf(_zod.def));
  const rules = limits.flatMap((limit) => (limit && 'rule' in limit ? [limit.rule] : []));
  const bounds = limits.filter((limit) => !limit || !('rule' in limit));
  if (!type || !bounds.every((limit) => limit && isSayable(type, limit, bounds))) return undefined;
  return Object.assign(type, ...bounds, rules.length > 0 && { rules });
}

/** Once, and of a kind that the type has. */
function isSayable({ type }: Shape, limit: object, all: readonly (object | undefined)[]): boolean {
  const [name = ''] = Object.keys(limit);
  return (SAYABLE[type] ?? []).includes(name) && all.filter((other) => other && name in other).length === 1;
}

function wrapped({ type, defaultValue }: Definition, inner: z.core.$ZodType): Member | undefined {
  const shape = shapeOf(inner);
  if (!shape || (type !== 'optional' && type !== 'default')) return undefined;
  return type === 'optional' ? { ...shape, isOptional: true } : { ...shape, fallback: defaultValue };
}

function typeOf(definition: Definition): Shape | undefined {
  const { type, format, element, shape } = definition;
  if (type === 'string' && format === undefined) return { type: 'text' };
  if (type === 'boolean') return { type: 'boolean' };
  if (type === 'number' && format === 'safeint') return { type: 'integer' };
  if (element) {
    const of = shapeOf(element);
    return of && { type: 'list', of };
  }
  return shape && objectOf(definition, shape);
}

function objectOf({ catchall }: Definition, shape: Record<string, z.core.$ZodType>): Shape | undefined {
  const members: NamedMember[] = [];
  for (const [name, schema] of Object.entries(shape)) {
    const member = shapeOf(schema);
    if (!member) return undefined;
    members.push({ name, ...member });
  }
  const isClosed = catchall !== undefined && definitionOf(catchall).type === 'never';
  return catchall && !isClosed ? undefined : { type: 'object', members, isClosed };
}

function limitOf({ check, fn, value, inclusive, minimum, maximum, pattern }: Definition): object | undefined {
  switch (check) {
    case 'custom':
      return fn?.maxCharacters === undefined ? ruleOf(fn) : { maxCharacters: fn.maxCharacters };
    case 'min_length':
      return { minLength: minimum };
    case 'max_length':
      return { max: maximum };
    case 'greater_than':
      return inclusive ? { min: value } : undefined;
    case 'less_than':
      return inclusive ? { max: value } : undefined;
    case 'string_format':
      return pattern?.flags === '' ? { pattern: pattern.source } : undefined;
    default:
      return undefined;
  }
}

function ruleOf(fn: Definition['fn']): object | undefined {
  const found = Object.entries(RULES).find(([, rule]) => (rule as unknown) === fn);
  return found && { rule: found[0] };
}

function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as unknown as Definition;
}
