import { startHttpServer } from '../../test/harness/http-server';
import { makeFolder } from '../places';
import { failures, type Trial } from '../trial';

const ROW = 'two HTTP clients with the same request ids: answers crossed';
const IN_FLIGHT = 20;

export const httpClients: Trial = {
  name: 'http-clients',
  what: `Two clients of one HTTP server, each with a session of its own, send calls under the same request ids at the same time, ${IN_FLIGHT} in flight each. Counted: answers that belong to the other client or to another call. The others are tried on stdio only.`,
  async run(server, scale) {
    if (!server.isOurs) return { [ROW]: { text: 'not tried', holds: undefined } };
    const calls = scale.count({ ours: 1_000, peers: 0, quick: 200 });
    const folder = makeFolder({ inMemory: false });
    const http = await startHttpServer(['--root', folder.path]);
    try {
      const clients = await Promise.all(['Ada', 'Bob'].map((name) => openHttpClient(http.url, http.token, name)));
      let crossed = 0;
      for (let at = 0; at < calls / 2; at += IN_FLIGHT) {
        const ids = Array.from({ length: IN_FLIGHT }, (_, lane) => at + lane + 100);
        const rights = await Promise.all(ids.flatMap((id) => clients.map((client) => client.isRight(id))));
        crossed += rights.filter((isRight) => !isRight).length;
      }
      return { [ROW]: failures(crossed, calls) };
    } finally {
      await http.stop();
      folder.remove();
    }
  },
};

interface HttpClient {
  /** Calls under this id, and tells whether the answer is the one to this call. */
  isRight(id: number): Promise<boolean>;
}

async function openHttpClient(url: string, token: string, name: string): Promise<HttpClient> {
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
  return {
    async isRight(id) {
      const call = { name: 'hello', arguments: { name: `${name} ${id}` } };
      const text = await (await post({ id, method: 'tools/call', params: call })).text();
      const messages = [...text.matchAll(/^(?:data: )?(\{.*\})$/gm)].map(([, json]) => JSON.parse(json ?? '{}'));
      const answer = messages.find((message) => message.result !== undefined);
      return answer?.id === id && JSON.stringify(answer.result).includes(`Hello, ${name} ${id}!`);
    },
  };
}
