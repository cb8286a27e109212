/** JSON Schemas as the published contracts print them: no `$schema`, no bounds that only mean "safe integer". */
import * as z from 'zod';

export type JsonSchema = { [key: string]: unknown };

export function inputSchema(schema: z.ZodType): JsonSchema {
  return clean(z.toJSONSchema(schema, { io: 'input' })) as JsonSchema;
}

/** Objects stay open in answers: a client must not fail on a field that a later version adds. */
export function outputSchema(schema: z.ZodType): JsonSchema {
  return clean(z.toJSONSchema(schema, { io: 'input' })) as JsonSchema;
}

function clean(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(clean);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => key !== '$schema' && !isSafeIntegerBound(key, value))
      .map(([key, value]) => [key, clean(value)]),
  );
}

function isSafeIntegerBound(key: string, value: unknown): boolean {
  return (
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) || (key === 'minimum' && value === Number.MIN_SAFE_INTEGER)
  );
}
