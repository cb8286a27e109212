/** Who calls, and what the caller can do: from the request itself in the newest revision, else from the handshake. */
import type { ClientCapabilities, Server, ServerContext } from '@modelcontextprotocol/server';

export interface Caller {
  readonly name: string;
  /** Whether the client can put a form before its user. */
  readonly canAsk: boolean;
}

export interface ClientInfo {
  readonly name?: string;
  readonly version?: string;
}

const PREFIX = 'io.modelcontextprotocol/';
/** A client may call itself anything; the log takes so much of it. */
const MAX_NAME_CHARACTERS = 100;

export function callerOf(server: Server, context: ServerContext): Caller {
  const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
  const info = envelope?.[`${PREFIX}clientInfo`] ?? server.getClientVersion();
  const capabilities = (envelope?.[`${PREFIX}clientCapabilities`] ?? server.getClientCapabilities()) as
    | ClientCapabilities
    | undefined;
  return { name: clientName(info as ClientInfo | undefined), canAsk: canAsk(capabilities) };
}

export function clientName(info: ClientInfo | undefined): string {
  const name = info?.name ? `${info.name} ${info.version ?? ''}`.trim() : 'unknown';
  return name.slice(0, MAX_NAME_CHARACTERS);
}

/** An empty `elicitation` means forms: that is how the earlier revisions said it. */
function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation as Record<string, unknown> | undefined;
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation));
}
