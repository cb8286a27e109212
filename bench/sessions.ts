/** The servers that stay up over the workloads, each started when it is first needed and again after it died. */
import type { ToolCall } from '../versus/server';
import type { Calls } from './adapters';
import { answerOf } from './answer';
import { contestant } from './contestants';
import { Setback } from './results';
import { openWire, shakeHands, type Wire } from './wire';

export interface Session {
  readonly wire: Wire;
  readonly calls: Calls;
  /** The time of the call and the text of the answer; a refusal by the server is a setback. */
  call(call: ToolCall, options: { limitMs: number }): Promise<{ ms: number; text: string }>;
  /** The text of an answer that was timed elsewhere. */
  textOf(line: Buffer): string;
}

export interface Sessions {
  open(name: string): Promise<Session>;
  drop(name: string): Promise<void>;
  running(): ReadonlyMap<string, Session>;
  /** How often each was started. */
  starts(name: string): number;
  close(): Promise<void>;
}

export function createSessions(root: string): Sessions {
  const running = new Map<string, Session>();
  const starts = new Map<string, number>();
  return {
    async open(name) {
      const session = running.get(name) ?? (await openSession(name, root));
      if (!running.has(name)) starts.set(name, (starts.get(name) ?? 0) + 1);
      running.set(name, session);
      return session;
    },
    async drop(name) {
      const session = running.get(name);
      running.delete(name);
      await session?.wire.kill();
    },
    running: () => running,
    starts: (name) => starts.get(name) ?? 0,
    async close() {
      await Promise.all([...running.values()].map(({ wire }) => wire.kill()));
      running.clear();
    },
  };
}

export async function openSession(name: string, root: string): Promise<Session> {
  const { launch, calls, judge } = contestant(name);
  const wire = openWire(launch(root));
  const textOf = (line: Buffer): string => {
    const { ok, text } = judge(resultOf(line));
    if (!ok) throw new Setback('refused');
    return text;
  };
  await shakeHands(wire);
  return {
    wire,
    calls: calls(root),
    textOf,
    async call(call, options) {
      const { ms, line } = await wire.ask('tools/call', paramsOf(call), options);
      return { ms, text: textOf(line) };
    },
  };
}

export function paramsOf({ tool, args }: ToolCall): string {
  return JSON.stringify({ name: tool, arguments: args });
}

function resultOf(line: Buffer) {
  try {
    return answerOf({ line });
  } catch {
    throw new Setback('refused');
  }
}
