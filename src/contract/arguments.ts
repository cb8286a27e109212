/** Validates the arguments of a call, once and strictly; the first problem becomes a Fault. */
import * as z from 'zod';
import { ownTurn, yieldToLoop } from '../text/yield-to-loop';
import type { Contract } from './contract';
import { Fault, type FaultFacts, type FaultKind } from './fault';
import { faultNamedIn } from './parameters';

export function parseArguments(contract: Contract, given: unknown): unknown {
  if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given)))
    throw new Fault('invalid_argument', { parameter: 'arguments', problem: 'must be an object' });
  const schema = contract.input();
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw faultOf(issue as z.core.$ZodIssue, given ?? {}, schema);
}

/** The same in a turn of its own, and so is the first use of zod, with which it is loaded: that takes 25 ms. */
export async function parseGently(contract: Contract, given: unknown): Promise<unknown> {
  await ownTurn();
  z.unknown();
  await yieldToLoop();
  return parseArguments(contract, given);
}

function faultOf(issue: z.core.$ZodIssue, given: unknown, schema: z.ZodType): Fault {
  const kind = faultNamedIn(issue.message);
  if (kind) return new Fault(kind, parameterFacts(issue, given) as FaultFacts[FaultKind]);
  if (issue.code === 'unrecognized_keys') {
    const expected = parameterNames(schema).join(', ');
    return new Fault('invalid_argument', {
      parameter: issue.keys.join(', '),
      problem: `is not a parameter here; expected: ${expected}`,
      expected,
    });
  }
  return new Fault('invalid_argument', { parameter: spell(issue.path), problem: problemOf(issue, given) });
}

/** The value under its own name, and the index where it stands in a list: what message patterns may name. */
function parameterFacts(issue: z.core.$ZodIssue, given: unknown): Record<string, unknown> {
  const index = issue.path.find((key) => typeof key === 'number');
  const name = issue.path.findLast((key) => typeof key === 'string') ?? 'arguments';
  const value = valueAt(given, issue.path);
  const isScalar = typeof value !== 'object' || value === null;
  return { parameter: spell(issue.path), ...(index !== undefined && { index }), ...(isScalar && { [name]: value }) };
}

function problemOf(issue: z.core.$ZodIssue, given: unknown): string {
  const value = valueAt(given, issue.path);
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined
        ? `is missing; expected ${article(issue.expected)}`
        : `must be ${article(issue.expected)}, not ${describe(value)}`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be >= ${issue.minimum}: ${describe(value)}`;
    case 'too_big':
      return tooBig(issue, value);
    case 'invalid_value':
      return `must be one of ${issue.values.map((v) => JSON.stringify(v)).join(', ')}`;
    case 'invalid_format':
      return `must match ${'pattern' in issue ? issue.pattern : issue.format}`;
    default:
      return issue.message;
  }
}

function tooBig(issue: z.core.$ZodIssueTooBig, value: unknown): string {
  if (issue.origin === 'string') return `is longer than ${issue.maximum} characters`;
  if (issue.origin === 'array') return `has more than ${issue.maximum} items`;
  return `must be <= ${issue.maximum}: ${describe(value)}`;
}

function parameterNames(schema: z.ZodType): string[] {
  return 'shape' in schema ? Object.keys(schema.shape as object) : [];
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let value = given;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return value;
}

function spell(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'arguments';
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`)).join('');
}

function article(type: string): string {
  const named = type === 'int' || type === 'number' ? 'integer' : type;
  return `${/^[aeio]/.test(named) ? 'an' : 'a'} ${named}`;
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : article(typeof value);
}
