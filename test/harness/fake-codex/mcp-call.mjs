// A tool call as Codex makes it to an MCP server over HTTP: with the ids of its own side in `_meta`.

/** The first server with an address that a thread's settings name; nothing where the tools are dynamic ones. */
export function toolServerOf({ dynamicTools, config = {} }) {
  if (dynamicTools) return undefined;
  return serversIn(config ?? {}).find(({ url }) => url !== undefined);
}

/** Settings are nested, or have dots in their names. */
export function serversIn(config) {
  const servers = new Map(Object.entries(config.mcp_servers ?? {}));
  for (const [path, value] of Object.entries(config)) {
    const [, name, field] = /^mcp_servers\.([^.]+)(?:\.(.+))?$/.exec(path) ?? [];
    if (name !== undefined) servers.set(name, { ...servers.get(name), ...(field ? { [field]: value } : value) });
  }
  return [...servers].map(([name, settings]) => ({ ...settings, name }));
}

/** `{result}` or `{error}`. */
export async function callOverMcp(server, call, { ids, signal }) {
  const session = {};
  const ask = (method, params, id) => post(server, session, { jsonrpc: '2.0', id, method, params }, signal);
  try {
    const clientInfo = { name: 'codex-mcp-client', title: 'Codex', version: '0.166.0' };
    await ask('initialize', { protocolVersion: '2025-06-18', capabilities: { elicitation: {} }, clientInfo }, 0);
    await ask('notifications/initialized', {});
    const { callId, threadId, turnId } = ids;
    const _meta = { callId, threadId, itemId: callId, 'x-codex-turn-metadata': { turn_id: turnId } };
    return await ask('tools/call', { name: call.tool, arguments: call.arguments, _meta }, 1);
  } catch (error) {
    return { error: { message: `tool call failed: ${error.message}` } };
  }
}

async function post({ url, http_headers = {} }, session, message, signal) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session.id && { 'mcp-session-id': session.id, 'mcp-protocol-version': '2025-06-18' }),
      ...http_headers,
    },
    body: JSON.stringify(message),
    signal,
  });
  session.id ??= response.headers.get('mcp-session-id') ?? undefined;
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  if (message.id === undefined) return {};
  return messagesIn(text).find(({ id }) => id === message.id) ?? { error: { message: 'no answer' } };
}

/** One JSON, or a stream of events with one in each. */
function messagesIn(text) {
  if (text.startsWith('{')) return [JSON.parse(text)];
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}
