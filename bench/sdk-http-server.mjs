// The yardstick for HTTP: the same reading tool on the MCP SDK v1's own HTTP transport, with sessions, as its manual
// shows it, and nothing else. Prints its address. node bench/sdk-http-server.mjs ROOT
import { randomUUID } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { createServer } from 'node:http';
import { sep } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as z from 'zod';

const root = await realpath(process.argv[2]);
const transports = new Map();
const http = createServer((request, response) => {
  serve(request, response).catch((error) => response.destroy(error));
});
http.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${http.address().port}/mcp\n`));

async function serve(request, response) {
  const known = transports.get(request.headers['mcp-session-id']);
  await (known ?? (await begin())).handleRequest(request, response);
}

async function begin() {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => transports.set(id, transport),
  });
  await makeServer().connect(transport);
  return transport;
}

function makeServer() {
  const server = new McpServer({ name: 'yardstick', version: '1.0.0' });
  const inputSchema = {
    path: z.string(),
    line: z.int().min(1).optional(),
    limit: z.int().min(1).optional(),
  };
  server.registerTool('read_text_file', { description: 'Read a text file', inputSchema }, read);
  return server;
}

async function read({ path, line = 1, limit }) {
  const real = await realpath(path);
  if (!real.startsWith(root + sep)) throw new Error('outside the root');
  const lines = (await readFile(real, 'utf8')).split(/(?<=\n)/);
  const wanted = lines.slice(line - 1, limit && line - 1 + limit);
  const _meta = { total_lines: lines.length, returned_lines: wanted.length };
  return { content: [{ type: 'text', text: JSON.stringify({ content: wanted.join(''), _meta }) }] };
}
