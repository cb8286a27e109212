/** Stands in for the SDK's `_shims` in the bundle: the low-level server never asks for a JSON Schema validator. */
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('this build has no JSON Schema validator');
  }
}
