/** The entries of `tools/list`, made from the contracts. Run at build time; the server reads the result. */
import { annotations, type Tool } from '../contract/contract';
import type { Dialect } from '../contract/dialect';
import { inputSchema, type JsonSchema, outputSchema } from '../contract/json-schema';

export interface ToolEntry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: ReturnType<typeof annotations>;
}

export function entryOf({ contract }: Tool, dialect: Dialect): ToolEntry {
  return {
    name: contract.name,
    title: contract.title,
    description: contract.description,
    inputSchema: inputSchema(contract.input()),
    ...(!contract.bulk && { outputSchema: dialect.answerSchema(outputSchema(contract.output())) }),
    annotations: annotations(contract.effect),
  };
}
