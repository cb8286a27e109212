/**
 * A tool is a contract and a few lines. The contract is data: from it come the listing, the validation, the error
 * messages and the documents. `defineTool` returns it unchanged; it exists for the types.
 */
import type * as z from 'zod';
import type { LongText } from '../text/long-text';
import type { FaultFacts, FaultKind } from './fault';
import type { Services } from './ports';

/** What a call does to the world; the four MCP annotations follow from it (see `annotations`). */
export type Effect = 'read' | 'create' | 'append' | 'change' | 'replace' | 'remove' | 'run';

export interface ErrorRow {
  readonly code: number | string;
  /** Message pattern; `{path}` stands for the fact of that name. */
  readonly message: string;
  /** When it happens, in the words of the documents. */
  readonly when: string;
}

export type ErrorTable = { readonly [K in FaultKind]?: ErrorRow };

export interface Example {
  readonly title: string;
  readonly input: object;
  /** What the tool answers on success, without the dialect's envelope. */
  readonly output: object;
}

/** What a person is asked before the call runs. The approval holds for exactly these words. */
export interface ApprovalQuestion {
  readonly subject: string;
  readonly message: string;
}

export interface Contract<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  /** Schemas are thunks: a server that only lists its tools never builds them. */
  readonly input: () => I;
  readonly output: () => O;
  /** A bulk reader sends its text once: no output schema, no structured copy. */
  readonly bulk?: boolean;
  readonly errors: ErrorTable;
  readonly approval?: (input: z.output<I>) => ApprovalQuestion;
  /** What the tool may touch and what it refuses, one sentence each. */
  readonly constraints: readonly string[];
  readonly examples: readonly Example[];
}

export interface Tool {
  readonly contract: Contract;
  run(input: unknown, services: Services): Promise<object>;
}

type NamedFacts<M extends string> = M extends `${string}{${infer Name}}${infer Rest}` ? Name | NamedFacts<Rest> : never;

/** A row whose pattern names a fact that its fault lacks does not compile. */
export type SoundRows<T> = {
  readonly [K in keyof T]: K extends FaultKind
    ? T[K] extends { readonly message: infer M extends string }
      ? [NamedFacts<M>] extends [keyof FaultFacts[K]]
        ? ErrorRow
        : { readonly message: `{fact} not carried by ${K}: ${Exclude<NamedFacts<M>, keyof FaultFacts[K]> & string}` }
      : ErrorRow
    : never;
};

export function errorRows<const T extends ErrorTable>(rows: T & SoundRows<T>): T {
  return rows;
}

export function defineTool<I extends z.ZodType, O extends z.ZodType, const E extends ErrorTable>(
  contract: Omit<Contract<I, O>, 'errors'> & { readonly errors: E & SoundRows<E> },
  run: (input: z.output<I>, services: Services) => Promise<Answered<z.input<O>> & object>,
): Tool {
  // The one place where the types of a single tool are forgotten: the engine parses before it runs.
  return { contract, run } as unknown as Tool;
}

/** What a tool may answer: where its contract says a string, a long text will do. */
type Answered<T> = T extends string ? T | LongText : T extends object ? { [K in keyof T]: Answered<T[K]> } : T;

/** The four hints by which clients decide whether to ask their user. */
export function annotations(effect: Effect) {
  return {
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'change' || effect === 'replace' || effect === 'remove' || effect === 'run',
    idempotentHint: effect === 'read' || effect === 'create' || effect === 'replace',
    openWorldHint: effect === 'run',
  };
}
