/** Two clients of one HTTP door who use the same request ids, and never get the other's answer. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpDoor, Server } from './server';

export const IN_FLIGHT = 20;
const FILES = 50;

/** How many answers belonged to the other client or to another call. */
export async function crossedAnswers(server: Server, door: HttpDoor, root: string, calls: number): Promise<number> {
  const clients = await Promise.all(['Ada', 'Bob'].map((name) => openReader(server, door, root, name)));
  let crossed = 0;
  for (let at = 0; at < calls / clients.length; at += IN_FLIGHT) {
    const ids = Array.from({ length: IN_FLIGHT }, (_, lane) => at + lane + 100);
    const rights = await Promise.all(ids.flatMap((id) => clients.map((client) => client.isRight(id))));
    crossed += rights.filter((isRight) => !isRight).length;
  }
  return crossed;
}

interface Reader {
  /** Reads a file of its own under this id, and tells whether the answer is the one to this call. */
  isRight(id: number): Promise<boolean>;
}

async function openReader(server: Server, { url, token }: HttpDoor, root: string, name: string): Promise<Reader> {
  mkdirSync(join(root, name));
  for (let at = 0; at < FILES; at++) writeFileSync(join(root, name, `${at}.txt`), `${name} has ${at}.`);
  const headers: Record<string, string> = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const post = (message: object) =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  const clientInfo = { name, version: '1.0.0' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const opened = await post({ id: 1, method: 'initialize', params });
  await opened.text();
  const session = opened.headers.get('mcp-session-id');
  if (session !== null) headers['Mcp-Session-Id'] = session;
  headers['MCP-Protocol-Version'] = '2025-06-18';
  await (await post({ method: 'notifications/initialized' })).text();
  const tools = server.tools(root);
  return {
    async isRight(id) {
      const read = tools.read?.(`${name}/${id % FILES}.txt`);
      const call = { name: read?.tool, arguments: read?.args };
      const text = await (await post({ id, method: 'tools/call', params: call })).text();
      const messages = [...text.matchAll(/^(?:data: )?(\{.*\})$/gm)].map(([, json]) => JSON.parse(json ?? '{}'));
      const answer = messages.find((message) => message.result !== undefined);
      return answer?.id === id && JSON.stringify(answer.result).includes(`${name} has ${id % FILES}.`);
    },
  };
}
