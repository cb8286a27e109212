/** Clients that share one HTTP server: the v1 SDK's, and the v2 SDK's in the older and the newest revision. */
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { HttpServer } from '../harness/http-server';

export const KINDS = ['v1', 'v2 legacy', 'v2 modern'] as const;
export type Kind = (typeof KINDS)[number];

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; message?: string }) => void;
}

export interface SharedClient {
  toolNames(): Promise<string[]>;
  /** The JSON of the first content block. */
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<Record<string, unknown>>;
  revision(): string | undefined;
  /** Says goodbye where the revision knows how and the server is still there, and closes. */
  close(): Promise<void>;
}

const INFO = { name: 'tenon-http-test', version: '1.0.0' };

/** `approve` answers every question; without it the client cannot be asked. */
export async function connectClient(kind: Kind, server: HttpServer, approve?: () => boolean): Promise<SharedClient> {
  const url = new URL(server.url);
  const options = { requestInit: { headers: { Authorization: `Bearer ${server.token}` } } };
  const answer = async () => ({ action: 'accept' as const, content: { approve: approve?.() ?? false } });
  const capabilities = approve ? { elicitation: { form: {} } } : {};
  if (kind === 'v1') {
    const client = new OldClient(INFO, { capabilities });
    if (approve) client.setRequestHandler(ElicitRequestSchema, answer);
    const transport = new OldTransport(url, options);
    await client.connect(transport as never);
    return {
      toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args, callOptions) =>
        bodyOf(await client.callTool({ name, arguments: args }, undefined, callOptions as never)),
      revision: () => transport.protocolVersion,
      async close() {
        await transport.terminateSession().catch(() => {});
        await client.close();
      },
    };
  }
  const mode = kind === 'v2 modern' ? { pin: '2026-07-28' as const } : 'legacy';
  const client = new NewClient(INFO, { capabilities, versionNegotiation: { mode } });
  if (approve) client.setRequestHandler('elicitation/create', answer);
  const transport = new NewTransport(url, options);
  await client.connect(transport);
  return {
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, callOptions) =>
      bodyOf(await client.callTool({ name, arguments: args }, callOptions as never)),
    revision: () => client.getNegotiatedProtocolVersion(),
    async close() {
      if (mode === 'legacy') await transport.terminateSession().catch(() => {});
      await client.close();
    },
  };
}

function bodyOf(result: unknown): Record<string, unknown> {
  const { content } = result as { content: { text: string }[] };
  return JSON.parse(content[0]?.text ?? '');
}
