/**
 * A client of the built binary, through a real door. Four ways in: stdio and HTTP, the older protocol revisions with
 * the v1 SDK's client and the newest with the v2 SDK's. What comes back has one form for all of them.
 */
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { binary, nodeBinary } from './binary';
import { type HttpServer, startHttpServer } from './http-server';

export interface Way {
  readonly door: 'stdio' | 'http';
  readonly era: 'legacy' | 'modern';
}

export const WAYS: readonly Way[] = [
  { door: 'stdio', era: 'legacy' },
  { door: 'stdio', era: 'modern' },
  { door: 'http', era: 'legacy' },
  { door: 'http', era: 'modern' },
];

export interface ToolResult {
  readonly content: { type: string; text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly [key: string]: unknown;
}

export interface Question {
  readonly message: string;
  readonly requestedSchema: unknown;
}

export interface ClientOptions {
  readonly root: string;
  readonly flags?: readonly string[];
  readonly env?: Record<string, string>;
  /** Answers the server's questions; without it the client cannot be asked. */
  readonly elicit?: (question: Question) => {
    action: 'accept' | 'decline' | 'cancel';
    content?: Record<string, unknown>;
  };
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; message?: string }) => void;
  readonly timeout?: number;
}

export interface TestClient {
  readonly way: Way;
  /** The whole result; a JSON-RPC error is thrown, with its `code`, `message` and `data`. */
  result(tool: string, args?: object, options?: CallOptions): Promise<ToolResult>;
  /** The JSON of `content[0].text`. */
  call(tool: string, args?: object, options?: CallOptions): Promise<unknown>;
  tools(): Promise<Record<string, unknown>[]>;
  instructions(): string | undefined;
  protocolVersion(): string | undefined;
  log(): string;
  close(): Promise<void>;
}

const INFO = { name: 'tenon-test', version: '1.0.0' };

export async function openClient(way: Way, options: ClientOptions): Promise<TestClient> {
  const flags = ['--root', options.root, ...(options.flags ?? [])];
  const server = way.door === 'http' ? await startHttpServer(flags, options.env) : undefined;
  const raw = await (way.era === 'legacy' ? openOld : openNew)(options, flags, server);
  await raw.tools(); // From here on the v1 client checks structured answers against their schemas.
  const result: TestClient['result'] = (tool, args = {}, callOptions = {}) =>
    raw.callTool({ name: tool, arguments: args as Record<string, unknown> }, { timeout: 60_000, ...callOptions });
  return {
    way,
    result,
    call: async (...call) => JSON.parse((await result(...call)).content[0]?.text ?? ''),
    tools: raw.tools,
    instructions: raw.instructions,
    protocolVersion: raw.protocolVersion,
    log: raw.log,
    async close() {
      await raw.close();
      await server?.stop();
    },
  };
}

interface RawClient extends Pick<TestClient, 'tools' | 'instructions' | 'protocolVersion' | 'log' | 'close'> {
  callTool(params: { name: string; arguments: Record<string, unknown> }, options: CallOptions): Promise<ToolResult>;
}

async function openOld(options: ClientOptions, flags: string[], server?: HttpServer): Promise<RawClient> {
  const { elicit } = options;
  const client = new OldClient(INFO, { capabilities: elicit ? { elicitation: {} } : {} });
  if (elicit)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => elicit(params as unknown as Question) as never);
  const transport = server
    ? new OldHttp(new URL(server.url), authorized(server))
    : new OldStdio(stdioCommand(options, flags));
  const log = collectLog(transport, server);
  await client.connect(transport as never);
  return {
    callTool: async (params, callOptions) => (await client.callTool(params, undefined, callOptions as never)) as never,
    tools: async () => (await client.listTools()).tools as never,
    instructions: () => client.getInstructions(),
    protocolVersion: () => '2025-11-25',
    log,
    close: () => client.close(),
  };
}

async function openNew(options: ClientOptions, flags: string[], server?: HttpServer): Promise<RawClient> {
  const { elicit } = options;
  const capabilities = elicit ? { elicitation: { form: {} } } : {};
  const client = new NewClient(INFO, { capabilities, versionNegotiation: { mode: 'auto' } });
  if (elicit)
    client.setRequestHandler(
      'elicitation/create',
      async ({ params }) => elicit(params as unknown as Question) as never,
    );
  const transport = server
    ? new NewHttp(new URL(server.url), authorized(server))
    : new NewStdio(stdioCommand(options, flags));
  const log = collectLog(transport, server);
  await client.connect(transport);
  return {
    callTool: async (params, callOptions) => (await client.callTool(params, callOptions as never)) as never,
    tools: async () => (await client.listTools()).tools as never,
    instructions: () => client.getInstructions(),
    protocolVersion: () => client.getNegotiatedProtocolVersion(),
    log,
    close: () => client.close(),
  };
}

function authorized({ token }: HttpServer) {
  return { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
}

function stdioCommand({ env }: ClientOptions, flags: string[]) {
  return {
    command: nodeBinary(),
    args: [binary, 'serve', ...flags],
    stderr: 'pipe' as const,
    env: { ...(process.env as Record<string, string>), ...env },
  };
}

function collectLog(transport: unknown, server: HttpServer | undefined): () => string {
  if (server) return server.stderr;
  let text = '';
  const { stderr } = transport as { stderr?: NodeJS.ReadableStream | null };
  stderr?.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}
