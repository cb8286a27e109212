/**
 * The arguments of a tool as plain data, and who accepts by it without zod. It only ever says yes, with the defaults
 * filled in; whatever it does not accept is for zod to judge, which alone has the words for what is wrong.
 */
import { isPieced } from '../text/pieced-text';
import { hasAtMost, RULES, type RuleName } from './rules';

export type Shape = { readonly rules?: readonly RuleName[] } & (
  | { readonly type: 'text'; readonly minLength?: number; readonly maxCharacters?: number; readonly pattern?: string }
  | { readonly type: 'integer'; readonly min?: number; readonly max?: number }
  | { readonly type: 'boolean' }
  | { readonly type: 'list'; readonly of: Shape; readonly max?: number }
  | { readonly type: 'object'; readonly members: readonly NamedMember[]; readonly isClosed: boolean }
);

export type Member = Shape & { readonly isOptional?: boolean; readonly fallback?: unknown };

export type NamedMember = Member & { readonly name: string };

export type Shapes = { readonly [tool: string]: Shape };

/** Not accepted, which is not the same as wrong. */
export const DOUBTFUL = Symbol('doubtful');

/** The value as zod would give it. */
export function accept(shape: Shape, value: unknown): unknown {
  const accepted = acceptType(shape, value);
  if (accepted === DOUBTFUL) return DOUBTFUL;
  const isRight = shape.rules?.every((name) => (RULES[name] as (value: unknown) => boolean)(accepted)) ?? true;
  return isRight ? accepted : DOUBTFUL;
}

function acceptType(shape: Shape, value: unknown): unknown {
  switch (shape.type) {
    case 'text':
      return (typeof value === 'string' ? isText(value, shape) : isPieced(value) && takesPieces(shape))
        ? value
        : DOUBTFUL;
    case 'integer':
      return Number.isSafeInteger(value) && isBetween(value as number, shape) ? value : DOUBTFUL;
    case 'boolean':
      return typeof value === 'boolean' ? value : DOUBTFUL;
    case 'list':
      return Array.isArray(value) ? acceptList(shape, value) : DOUBTFUL;
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? acceptObject(shape, value as Record<string, unknown>)
        : DOUBTFUL;
  }
}

/** Whether a long text may come in pieces. */
export function takesPieces({ rules }: Shape): boolean {
  return rules?.includes('mayBePieced') ?? false;
}

function isText(text: string, shape: Shape & { type: 'text' }): boolean {
  const { minLength = 0, maxCharacters, pattern } = shape;
  if (text.length < minLength) return false;
  if (maxCharacters !== undefined && !hasAtMost(maxCharacters)(text)) return false;
  return pattern === undefined || new RegExp(pattern).test(text);
}

function isBetween(value: number, { min = -Infinity, max = Infinity }: Shape & { type: 'integer' }): boolean {
  return value >= min && value <= max;
}

function acceptList({ of, max = Infinity }: Shape & { type: 'list' }, values: readonly unknown[]): unknown {
  if (values.length > max) return DOUBTFUL;
  const accepted = values.map((value) => accept(of, value));
  return accepted.includes(DOUBTFUL) ? DOUBTFUL : accepted;
}

function acceptObject(shape: Shape & { type: 'object' }, given: Record<string, unknown>): unknown {
  const accepted: Record<string, unknown> = {};
  for (const member of shape.members) {
    const { name } = member;
    const value = given[name] === undefined ? member.fallback : given[name];
    if (value === undefined && member.isOptional) continue;
    accepted[name] = accept(member, value);
    if (accepted[name] === DOUBTFUL) return DOUBTFUL;
  }
  const isKnown = (name: string) => shape.members.some((member) => member.name === name);
  return shape.isClosed && !Object.keys(given).every(isKnown) ? DOUBTFUL : accepted;
}
