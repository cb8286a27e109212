/** Runs plain calls in the engine and answers them, as the SDK would: a cancelled one gets no answer. */
import type { ApprovalChannel } from '../../contract/call';
import type { CallContext } from '../../contract/ports';
import type { Engine } from '../../engine/dispatch';
import { JsonText } from '../../text/json-text';
import { type Answer, answerOf } from '../answer';
import type { Line } from '../line-writer';
import { progressOf } from '../progress';
import type { Era, PlainCall, RequestId } from './plain';
import { RunningCall } from './running-call';

export interface CallsParts {
  readonly engine: Engine;
  readonly toolErrors: 'result' | 'rpc';
  readonly write: (message: string) => void;
  readonly answer: (id: RequestId, message: Line) => void;
  /** The members that are added to a result of the era. */
  readonly stamp: (era: Era) => string;
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
      const answer = await answerTo(call, context, parts);
      if (running.get(call.id) === context) running.delete(call.id);
      if (!context.isCancelled) parts.answer(call.id, answer.give());
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
type AnswerParts = Omit<CallsParts, 'write' | 'answer'>;

/** The answer as JSON, ready for the wire. */
export async function answerTo(call: AnsweredCall, context: CallContext, parts: AnswerParts): Promise<JsonText> {
  const { name: tool, arguments: given, client, era } = call;
  try {
    const outcome = await parts.engine.call({ tool, arguments: given, client, context, approvals: nobody });
    if (outcome.kind === 'asking') throw new Error('nobody was asked');
    return jsonOf(answerOf(outcome, { asRpcErrors: era === 'legacy' && parts.toolErrors === 'rpc' }), call, parts);
  } catch (error) {
    return jsonOf({ error: { code: INTERNAL_ERROR, message: (error as Error).message } }, call, parts);
  }
}

function jsonOf(answer: Answer, { id, era }: AnsweredCall, { stamp }: AnswerParts): JsonText {
  if ('error' in answer) return new JsonText().add(JSON.stringify({ error: answer.error, jsonrpc: '2.0', id }));
  const { body, isStructured, isError } = answer.said;
  const json = new JsonText().add('{"result":{"content":[{"type":"text","text":"').addValue(body, 'nested').add('"}]');
  if (isStructured) json.add(',"structuredContent":').addValue(body, 'plain');
  if (isError) json.add(',"isError":true');
  return json.add(`${stamp(era)}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`);
}
