/** How a toolset says success and failure. Tools return plain data; the dialect makes the wire form of it. */
import type { Failure } from './failure';
import type { JsonSchema } from './json-schema';

export interface Dialect {
  success(value: object): object;
  failure(failure: Failure): object;
  /** The same failure as a JSON-RPC error, where the dialect's codes are numbers. */
  rpcError?(failure: Failure): { code: number; message: string; data: object };
  /** The schema of an answer; it allows the failure form too, since some clients check it even then. */
  answerSchema(success: JsonSchema): JsonSchema;
  readonly internalErrorCode: number | string;
}

/** `{…result}` or `{"error": {"code": -32001, "message": "…", "data": {…}}}`. */
export const errorObject: Dialect = {
  success: (value) => value,
  failure: ({ code, message, details }) => ({ error: { code, message, data: details } }),
  rpcError: ({ code, message, details }) => ({ code: Number(code), message, data: { code, ...details } }),
  answerSchema: orError,
  internalErrorCode: -32603,
};

/** `{"ok": true, "data": {…}}` or `{"ok": false, "error": {"code": "NOT_FOUND", …}}`. */
export const envelope: Dialect = {
  success: (data) => ({ ok: true, data }),
  failure: ({ code, message, details }) => ({ ok: false, error: { code, message, details } }),
  answerSchema: (data) => ({
    type: 'object',
    properties: { ok: { type: 'boolean' }, data, error: { type: 'object' } },
    required: ['ok'],
  }),
  internalErrorCode: 'INTERNAL_ERROR',
};

/** `{…result}` or `{"error": {"code": "BLOCKED", …}}`. */
export const plain: Dialect = {
  success: (value) => value,
  failure: ({ code, message, details }) => ({ error: { code, message, details } }),
  answerSchema: orError,
  internalErrorCode: 'INTERNAL_ERROR',
};

function orError(success: JsonSchema): JsonSchema {
  const { type: _, ...fields } = success;
  return { type: 'object', anyOf: [fields, { required: ['error'] }] };
}
