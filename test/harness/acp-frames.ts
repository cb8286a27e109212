/** Whether what an agent said over the wire is valid: each frame against the schema of its method. */
import { createRequire } from 'node:module';
import { acpProblems } from './acp-schema';
import type { WireFrame } from './wire-log';

interface Frame {
  readonly jsonrpc?: unknown;
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface Definition {
  readonly 'x-method'?: string;
  readonly 'x-side'?: string;
}

const { $defs } = createRequire(import.meta.url)('@agentclientprotocol/sdk/schema/v1/schema.json') as {
  $defs: Record<string, Definition>;
};
const definitions = Object.entries($defs).map(([name, schema]) => ({
  name,
  method: schema['x-method'],
  isAnswer: name.endsWith('Response'),
}));

/** Empty when all is well; else what is wrong, with the frame. */
export function agentFrameProblems(frames: readonly WireFrame[]): string[] {
  const asked = new Map<unknown, string>();
  return frames.flatMap(({ from, line }) => {
    const frame = parsed(line);
    if (frame === undefined) return [`not JSON: ${line}`];
    if (from === 'client') {
      if (frame.id !== undefined && frame.method !== undefined) asked.set(frame.id, frame.method);
      return [];
    }
    return problemsOf(frame, asked).map((problem) => `${problem} in ${line}`);
  });
}

function problemsOf(frame: Frame, asked: ReadonlyMap<unknown, string>): string[] {
  if (frame.jsonrpc !== '2.0') return ['no version'];
  if (frame.method !== undefined) return against(frame.method, { isAnswer: false }, frame.params);
  const method = asked.get(frame.id);
  if (method === undefined) return ['an answer to nothing'];
  if (frame.error !== undefined) return acpProblems('Error', frame.error);
  return against(method, { isAnswer: true }, frame.result);
}

function against(method: string, { isAnswer }: { isAnswer: boolean }, value: unknown): string[] {
  const definition = definitions.find((known) => known.method === method && known.isAnswer === isAnswer);
  return definition ? acpProblems(definition.name, value) : [`no such method: ${method}`];
}

function parsed(line: string): Frame | undefined {
  try {
    return JSON.parse(line) as Frame;
  } catch {
    return undefined;
  }
}
