/** The JSON schema of ACP v1, as the SDK brings it: what stands in a message that an editor would not accept. */
import { createRequire } from 'node:module';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

const schema = createRequire(import.meta.url)('@agentclientprotocol/sdk/schema/v1/schema.json') as object;
// The schema has keywords and formats of its own, which say nothing about validity.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).addSchema(schema, 'acp');
const validators = new Map<string, ValidateFunction>();

/** `definition` is a name of the schema's `$defs`, such as `SessionNotification`. Empty when the value is valid. */
export function acpProblems(definition: string, value: unknown): string[] {
  const validate = validators.get(definition) ?? ajv.compile({ $ref: `acp#/$defs/${definition}` });
  validators.set(definition, validate);
  // What is sent is JSON: fields without a value are not there.
  return validate(JSON.parse(JSON.stringify(value)))
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The updates themselves, once each has been seen to be a valid `session/update`. */
export function validUpdates(updates: SessionUpdate[]): SessionUpdate[] {
  for (const update of updates)
    expect(acpProblems('SessionNotification', { sessionId: 's', update }), JSON.stringify(update)).toEqual([]);
  return updates;
}
