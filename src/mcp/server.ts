/**
 * The MCP server, as the SDK's low-level `Server`: the list is the prepared one, a call goes to the engine, and the
 * engine's outcome becomes a result. Made anew per connection or request; all state lives outside it.
 */
import {
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Outcome } from '../contract/call';
import type { Engine } from '../engine/dispatch';
import type { ToolEntry } from '../tools/listing';
import { type ApprovalDesk, approvalChannel, inputRequiredFor } from './approval';
import { callerOf } from './caller';
import { progressOf } from './progress';

export interface McpParts {
  readonly engine: Engine;
  readonly tools: readonly ToolEntry[];
  readonly instructions: string;
  readonly version: string;
  /** How a failure of a toolset with numeric codes is said; the newest revision always gets results. */
  readonly toolErrors: 'result' | 'rpc';
  readonly desk: ApprovalDesk;
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
        context: { signal: context.mcpReq.signal, progress: progressOf(context) },
        approvals: approvalChannel(parts.desk, context, caller),
      });
      return resultOf(outcome, context, parts, era === 'legacy' && parts.toolErrors === 'rpc');
    });
    return server;
  };
}

async function resultOf(outcome: Outcome, context: ServerContext, parts: McpParts, asRpcErrors: boolean) {
  switch (outcome.kind) {
    case 'unknown_tool':
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.message);
    case 'asking':
      return inputRequiredFor(parts.desk, outcome.question, context);
    case 'answer': {
      if (!outcome.ok && outcome.rpc && asRpcErrors)
        throw new ProtocolError(outcome.rpc.code, outcome.rpc.message, outcome.rpc.data);
      return {
        content: [{ type: 'text' as const, text: JSON.stringify(outcome.body) }],
        // A bulk reader sends its text once; its failures are small and go both ways, as everyone else's.
        ...((!outcome.bulk || !outcome.ok) && { structuredContent: outcome.body as Record<string, unknown> }),
        ...(!outcome.ok && { isError: true }),
      };
    }
  }
}
