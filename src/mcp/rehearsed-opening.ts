/**
 * Opens a conversation with nobody. The SDK makes what it knows of a revision when the first message of that revision
 * comes, which takes 25 ms: better while nobody waits for it.
 */
import type { createMcpHandler, McpServerFactory, Transport } from '@modelcontextprotocol/server';
import { ownTurn } from '../text/yield-to-loop';
import { CAPABILITIES, CLIENT, VERSION } from './lane/plain';

const NOBODY = { name: 'nobody', version: '0' };
const LEGACY = '2025-11-25';
const MODERN = '2026-07-28';

export async function rehearseOpening(
  factory: McpServerFactory,
  modern: Pick<ReturnType<typeof createMcpHandler>, 'fetch'>,
): Promise<void> {
  await ownTurn();
  await shakeHands(factory);
  await ownTurn();
  const answer = await modern.fetch(asPosted('server/discover'));
  await answer.text();
}

async function shakeHands(factory: McpServerFactory): Promise<void> {
  const server = await factory({ era: 'legacy' });
  let isAnswered = () => {};
  const answered = new Promise<void>((resolve) => {
    isAnswered = resolve;
  });
  const transport: Transport = { start: async () => {}, send: async () => isAnswered(), close: async () => {} };
  await server.connect(transport);
  const params = { protocolVersion: LEGACY, capabilities: {}, clientInfo: NOBODY };
  transport.onmessage?.({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  await answered;
  await server.close();
}

function asPosted(method: string): Request {
  const _meta = { [VERSION]: MODERN, [CLIENT]: NOBODY, [CAPABILITIES]: {} };
  return new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method, params: { _meta } }),
  });
}
