/** Runs plain calls in the engine and answers them, as the SDK would: a cancelled one gets no answer. */
import type { ApprovalChannel } from '../../contract/call';
import type { Engine } from '../../engine/dispatch';
import { type Answer, answerOf } from '../answer';
import { progressOf } from '../progress';
import type { Era, PlainCall, RequestId } from './plain';

export interface CallsParts {
  readonly engine: Engine;
  readonly toolErrors: 'result' | 'rpc';
  readonly write: (message: string) => void;
  /** What is added to a result of the era. */
  readonly stamp: (era: Era) => object;
}

export interface LaneCall extends PlainCall {
  readonly id: RequestId;
  readonly era: Era;
  readonly client: string;
  readonly progressToken: RequestId | undefined;
}

export interface Calls {
  run(call: LaneCall): Promise<void>;
  /** Whether there was such a call. */
  cancel(id: RequestId): boolean;
  /** Its id now means another request. */
  forget(id: RequestId): void;
  cancelAll(): void;
}

const INTERNAL_ERROR = -32603;
/** Tools that ask somebody never come here. */
const nobody: ApprovalChannel = {
  ask: async () => ({ kind: 'unavailable', remedy: 'there is nobody to ask here' }),
};

export function createCalls(parts: CallsParts): Calls {
  const running = new Map<RequestId, AbortController>();
  return {
    async run(call) {
      const controller = new AbortController();
      running.set(call.id, controller);
      const answer = await answerTo(call, controller.signal, parts);
      if (running.get(call.id) === controller) running.delete(call.id);
      if (!controller.signal.aborted) parts.write(textOf(answer, call, parts));
    },
    cancel(id) {
      running.get(id)?.abort();
      return running.has(id);
    },
    forget: (id) => void running.delete(id),
    cancelAll() {
      for (const controller of running.values()) controller.abort();
    },
  };
}

async function answerTo(
  call: LaneCall,
  signal: AbortSignal,
  { engine, toolErrors, write }: CallsParts,
): Promise<Answer> {
  const progress = progressOf(call.progressToken, (notification) =>
    write(JSON.stringify({ ...notification, jsonrpc: '2.0' })),
  );
  try {
    const outcome = await engine.call({
      tool: call.name,
      arguments: call.arguments,
      client: call.client,
      context: { signal, progress },
      approvals: nobody,
    });
    if (outcome.kind === 'asking') throw new Error('nobody was asked');
    return answerOf(outcome, { asRpcErrors: call.era === 'legacy' && toolErrors === 'rpc' });
  } catch (error) {
    return { error: { code: INTERNAL_ERROR, message: (error as Error).message } };
  }
}

function textOf(answer: Answer, { id, era }: LaneCall, { stamp }: CallsParts): string {
  const body = 'result' in answer ? { result: { ...answer.result, ...stamp(era) } } : answer;
  return JSON.stringify({ ...body, jsonrpc: '2.0', id });
}
