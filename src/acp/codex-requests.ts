/** What Codex asks of its user: put to the person in the editor, and always answered. */
import { RequestError, type RequestPermissionOutcome, type ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { Client } from './client';
import { CodexError, type Params } from './codex/connection';
import type { ThreadItem } from './codex/protocol/items';
import { APPROVAL_OPTIONS, decisionFor, elicitationFor, permissionsFor } from './translate/approval-answer';
import {
  commandApproval,
  fileChangeApproval,
  isCallAskedAbout,
  permissionsApproval,
  toolApproval,
} from './translate/approval-view';

export interface CodexRequestsParts {
  readonly client: Client;
  readonly sessionId: string;
  readonly cwd: string;
}

export interface CodexRequests {
  /** An item that was started: a request names it by its id, and says no more about it. */
  remember(item: ThreadItem): void;
  answer(method: string, params: Params, signal: AbortSignal): Promise<object>;
}

const METHOD_NOT_FOUND = -32601;
const MAX_REMEMBERED = 200;

export function createCodexRequests({ client, sessionId, cwd }: CodexRequestsParts): CodexRequests {
  const started = new Map<string, ThreadItem>();

  return {
    remember(item) {
      started.set(item.id, item);
      const [oldest] = started.keys();
      if (started.size > MAX_REMEMBERED && oldest !== undefined) started.delete(oldest);
    },
    async answer(method, params, signal) {
      const item = started.get(String(params.itemId));
      switch (method) {
        case 'item/commandExecution/requestApproval':
          return { decision: decisionFor(await ask(commandApproval(params, item), signal)) };
        case 'item/fileChange/requestApproval':
          return { decision: decisionFor(await ask(fileChangeApproval(params, item, cwd), signal)) };
        case 'item/permissions/requestApproval':
          return permissionsFor(await ask(permissionsApproval(params), signal), params);
        case 'mcpServer/elicitation/request':
          return elicitation(params, signal);
        case 'item/tool/requestUserInput':
          return { answers: await userInput(params, signal) };
        default:
          throw new CodexError(METHOD_NOT_FOUND, `Not served: ${method}`);
      }
    },
  };

  async function ask(toolCall: ToolCallUpdate, signal: AbortSignal): Promise<RequestPermissionOutcome> {
    if (signal.aborted) return { outcome: 'cancelled' };
    const { outcome } = await client.requestPermission({ sessionId, toolCall, options: [...APPROVAL_OPTIONS] }, signal);
    return outcome;
  }

  async function elicitation(params: Params, signal: AbortSignal): Promise<object> {
    const item = [...started.values()].findLast((item) => isCallAskedAbout(params, item));
    const call = toolApproval(params, item);
    if (call) return elicitationFor(await ask(call, signal));
    const declined = { action: 'decline', content: null, _meta: null };
    if (params.mode !== 'form' || !client.capabilities.elicitation?.form) return declined;
    const { message, requestedSchema } = params;
    return form({ mode: 'form', sessionId, message, requestedSchema }, signal);
  }

  async function form(params: object, signal: AbortSignal): Promise<object> {
    try {
      const { action, content } = await client.elicit(params, signal);
      const isAccepted = action === 'accept';
      const known = isAccepted || action === 'decline' ? action : 'cancel';
      return { action: known, content: isAccepted ? (content ?? {}) : null, _meta: null };
    } catch (thrown) {
      if (thrown instanceof RequestError) return { action: 'decline', content: null, _meta: null };
      return { action: 'cancel', content: null, _meta: null };
    }
  }

  /** A question of the model with answers to choose from; without a form in the editor, it gets none. */
  async function userInput({ questions }: Params, signal: AbortSignal): Promise<Record<string, object>> {
    const asked = (Array.isArray(questions) ? questions : []) as UserQuestion[];
    if (!client.capabilities.elicitation?.form || asked.length === 0) return {};
    const message = asked.map(({ question }) => question).join('\n');
    const params = { mode: 'form', sessionId, message, requestedSchema: questionForm(asked) };
    const { content } = (await form(params, signal)) as { content: Record<string, unknown> | null };
    return Object.fromEntries(
      asked.flatMap(({ id }) => (content?.[id] === undefined ? [] : [[id, { answers: [String(content[id])] }]])),
    );
  }
}

interface UserQuestion {
  readonly id: string;
  readonly header: string;
  readonly question: string;
  readonly options: readonly { readonly label: string }[] | null;
}

function questionForm(questions: readonly UserQuestion[]): object {
  const properties = questions.map(({ id, header, question, options }) => [
    id,
    {
      type: 'string',
      title: header,
      description: question,
      ...(options && { enum: options.map(({ label }) => label) }),
    },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties), required: questions.map(({ id }) => id) };
}
