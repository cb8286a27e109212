/** What an agent said over the wire, each message with the name that the schema has for it; and whether it is valid. */
import { createRequire } from 'node:module';
import { acpProblems } from './acp-schema';
import type { WireFrame } from './wire-log';

export interface AgentMessage {
  /** A name of the schema's `$defs`, such as `PromptResponse`. */
  readonly definition: string;
  readonly value: unknown;
  readonly line: string;
}

interface Frame {
  readonly jsonrpc?: unknown;
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

const { $defs } = createRequire(import.meta.url)('@agentclientprotocol/sdk/schema/v1/schema.json') as {
  $defs: Record<string, { readonly 'x-method'?: string }>;
};
const definitions = Object.entries($defs).map(([name, schema]) => ({
  name,
  method: schema['x-method'],
  isAnswer: name.endsWith('Response'),
}));

/** Throws for what is no message at all. */
export function agentMessages(frames: readonly WireFrame[]): AgentMessage[] {
  const asked = new Map<unknown, string>();
  return frames.flatMap(({ from, line }) => {
    const frame = JSON.parse(line) as Frame;
    if (from === 'agent') return [{ ...read(frame, asked), line }];
    if (frame.id !== undefined && frame.method !== undefined) asked.set(frame.id, frame.method);
    return [];
  });
}

/** Empty when all is well; else what is wrong, with the line. */
export function agentFrameProblems(frames: readonly WireFrame[]): string[] {
  return agentMessages(frames).flatMap(({ definition, value, line }) =>
    acpProblems(definition, value).map((problem) => `${problem} in ${line}`),
  );
}

function read(frame: Frame, asked: ReadonlyMap<unknown, string>): Omit<AgentMessage, 'line'> {
  if (frame.jsonrpc !== '2.0') throw new Error(`no version in ${JSON.stringify(frame)}`);
  if (frame.method !== undefined) return { definition: nameOf(frame.method, { isAnswer: false }), value: frame.params };
  const method = asked.get(frame.id);
  if (method === undefined) throw new Error(`an answer to nothing: ${JSON.stringify(frame)}`);
  if (frame.error !== undefined) return { definition: 'Error', value: frame.error };
  return { definition: nameOf(method, { isAnswer: true }), value: frame.result };
}

function nameOf(method: string, { isAnswer }: { isAnswer: boolean }): string {
  const found = definitions.find((known) => known.method === method && known.isAnswer === isAnswer);
  if (!found) throw new Error(`no such method: ${method}`);
  return found.name;
}
