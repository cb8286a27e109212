/**
 * The MCP server, as the SDK's low-level `Server`: the list is the prepared one, a call goes to the engine, and the
 * engine's outcome becomes a result. Made anew per connection or request; all state lives outside it.
 */
import { type McpServerFactory, ProtocolError, Server, type ServerContext } from '@modelcontextprotocol/server';
import type { Outcome } from '../contract/call';
import type { Engine } from '../engine/dispatch';
import type { ToolEntry } from '../tools/listing';
import { answerOf } from './answer';
import { type ApprovalDesk, approvalChannel, inputRequiredFor } from './approval';
import { callerOf } from './caller';
import type { LongAnswers } from './long-answers';
import { progressOf } from './progress';

/** What the server says of itself. */
export interface Words {
  readonly tools: readonly ToolEntry[];
  readonly instructions: string;
  readonly version: string;
}

export interface McpParts extends Words {
  readonly engine: Engine;
  /** How a failure of a toolset with numeric codes is said; the newest revision always gets results. */
  readonly toolErrors: 'result' | 'rpc';
  readonly desk: ApprovalDesk;
  readonly longAnswers: Pick<LongAnswers, 'resultOf'>;
}

export function createServerFactory(parts: McpParts): McpServerFactory {
  return ({ era }) => {
    const server = new Server(
      { name: 'tenon', title: 'Tenon', version: parts.version },
      {
        capabilities: { tools: {} },
        instructions: parts.instructions,
        requestState: { verify: parts.desk.verify },
      },
    );
    server.setRequestHandler('tools/list', async () => ({ tools: [...parts.tools] as never }));
    server.setRequestHandler('tools/call', async (request, context) => {
      const caller = callerOf(server, context);
      const outcome = await parts.engine.call({
        tool: request.params.name,
        arguments: request.params.arguments,
        client: caller.name,
        context: { signal: context.mcpReq.signal, progress: progressFor(context) },
        approvals: approvalChannel(parts.desk, context, caller),
      });
      return replyTo(outcome, context, parts, era === 'legacy' && parts.toolErrors === 'rpc');
    });
    return server;
  };
}

async function replyTo(outcome: Outcome, context: ServerContext, parts: McpParts, asRpcErrors: boolean) {
  if (outcome.kind === 'asking') return inputRequiredFor(parts.desk, outcome.question, context);
  const answer = answerOf(outcome, { asRpcErrors });
  if ('said' in answer) return parts.longAnswers.resultOf(answer.said, context.mcpReq.signal);
  throw new ProtocolError(answer.error.code, answer.error.message, answer.error.data);
}

/** A client that is gone needs no progress. */
function progressFor({ mcpReq }: ServerContext) {
  return progressOf(mcpReq._meta?.progressToken, (notification) => void mcpReq.notify(notification).catch(() => {}));
}
