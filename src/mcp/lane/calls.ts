/** Runs plain calls in the engine and answers them, as the SDK would: a cancelled one gets no answer. */
import type { ApprovalChannel } from '../../contract/call';
import type { CallContext } from '../../contract/ports';
import type { Engine } from '../../engine/dispatch';
import { type Answer, answerOf } from '../answer';
import { progressOf } from '../progress';
import type { Era, PlainCall, RequestId } from './plain';
import { RunningCall } from './running-call';

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
  const running = new Map<RequestId, RunningCall>();
  const notify = (notification: object) => parts.write(JSON.stringify({ ...notification, jsonrpc: '2.0' }));
  return {
    async run(call) {
      const context = new RunningCall(progressOf(call.progressToken, notify));
      running.set(call.id, context);
      const line = await answerLine(call, context, parts);
      if (running.get(call.id) === context) running.delete(call.id);
      if (!context.isCancelled) parts.write(line);
    },
    cancel(id) {
      running.get(id)?.cancel();
      return running.has(id);
    },
    forget: (id) => void running.delete(id),
    cancelAll() {
      for (const context of running.values()) context.cancel();
    },
  };
}

type AnsweredCall = Omit<LaneCall, 'progressToken'>;
type AnswerParts = Omit<CallsParts, 'write'>;

/** The whole answer, ready for the wire. */
export async function answerLine(call: AnsweredCall, context: CallContext, parts: AnswerParts): Promise<string> {
  return lineOf(await answerTo(call, context, parts), call, parts);
}

async function answerTo(
  call: AnsweredCall,
  context: CallContext,
  { engine, toolErrors }: AnswerParts,
): Promise<Answer> {
  const { name: tool, arguments: given, client, era } = call;
  try {
    const outcome = await engine.call({ tool, arguments: given, client, context, approvals: nobody });
    if (outcome.kind === 'asking') throw new Error('nobody was asked');
    return answerOf(outcome, { asRpcErrors: era === 'legacy' && toolErrors === 'rpc' });
  } catch (error) {
    return { error: { code: INTERNAL_ERROR, message: (error as Error).message } };
  }
}

function lineOf(answer: Answer, { id, era }: AnsweredCall, { stamp }: AnswerParts): string {
  if ('error' in answer) return JSON.stringify({ error: answer.error, jsonrpc: '2.0', id });
  return JSON.stringify({ result: Object.assign(answer.result, stamp(era)), jsonrpc: '2.0', id });
}
