/**
 * Asks the SDK what it answers to the messages that open a conversation, in every revision that it knows, and writes
 * down the answers with slots for the server's own words. The lane of the stdio door answers from them.
 */
import { type JSONRPCMessage, SUPPORTED_PROTOCOL_VERSIONS, type Transport } from '@modelcontextprotocol/server';
import { createApprovalDesk } from '../src/mcp/approval';
import { createLongAnswers } from '../src/mcp/long-answers';
import { serveStdio } from '../src/mcp/sdk';
import { createServerFactory } from '../src/mcp/server';

type Result = Record<string, unknown>;

const MODERN = '2026-07-28';
const TOOL = { name: '$TOOL' };

export async function recordAnswers(): Promise<object> {
  const initialize: Record<string, Result> = {};
  for (const version of SUPPORTED_PROTOCOL_VERSIONS) initialize[version] = await ask(handshake(version));
  const modern = { _meta: modernMeta() };
  return {
    initialize,
    initializeOther: await ask(handshake('1999-01-01')),
    discover: await ask({ method: 'server/discover', params: modern }),
    legacy: {
      ping: await ask(handshake(MODERN), { method: 'ping' }),
      list: withSlot(await ask(handshake(MODERN), { method: 'tools/list' })),
      call: stampOf(await ask(handshake(MODERN), { method: 'tools/call', params: TOOL })),
    },
    modern: {
      list: withSlot(await ask({ method: 'tools/list', params: modern })),
      call: stampOf(await ask({ method: 'tools/call', params: { ...TOOL, ...modern } })),
    },
  };
}

/** Holds one conversation and gives the answer to its last request. */
async function ask(...requests: readonly { method: string; params?: object }[]): Promise<Result> {
  const answers = new Map<unknown, Result>();
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => void answers.set((message as { id?: unknown }).id, message as unknown as Result),
  };
  serveStdio(factory(), { transport });
  for (const [id, request] of requests.entries()) {
    transport.onmessage?.({ jsonrpc: '2.0', id, ...request } as JSONRPCMessage);
    for (let turn = 0; turn < 1000 && !answers.has(id); turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  const answer = answers.get(requests.length - 1);
  if (!answer?.result) throw new Error(`no result: ${JSON.stringify(answer)}`);
  return answer.result as Result;
}

function factory() {
  return createServerFactory({
    engine: {
      registry: { names: [], find: () => undefined, explainMissing: () => '' },
      call: async () => ({ kind: 'answer', ok: true, body: {}, bulk: false }),
      preview: async () => [],
    },
    tools: [TOOL as never],
    instructions: '$INSTRUCTIONS',
    version: '$VERSION',
    toolErrors: 'result',
    longAnswers: createLongAnswers(),
    desk: createApprovalDesk(),
  });
}

function handshake(protocolVersion: string) {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'recorder', version: '1' } };
  return { method: 'initialize', params };
}

function modernMeta() {
  const prefix = 'io.modelcontextprotocol/';
  return { [`${prefix}protocolVersion`]: MODERN, [`${prefix}clientCapabilities`]: {} };
}

/** The SDK leaves the entries as they are; the slot stands for those that are served. */
function withSlot(list: Result): Result {
  if (JSON.stringify(list.tools) !== JSON.stringify([TOOL])) throw new Error('the SDK changes the entries of the list');
  return { ...list, tools: '$TOOLS' };
}

/** What is there besides the answer itself. */
function stampOf({ content: _, structuredContent: __, ...rest }: Result): Result {
  return rest;
}
