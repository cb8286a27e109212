/** What `tenon serve --http` prints: what is served and where, and how to connect a client, ready to paste. */
import { styleText } from 'node:util';
import type { Settings } from './settings';

export interface Served {
  readonly version: string;
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly toolCount: number;
}

export function printHttpBanner(served: Served, settings: Settings): void {
  const hasColour = process.stdout.isTTY && !process.env.NO_COLOR;
  // Whoever reads only the first line and goes does not end the server.
  process.stdout.on('error', () => {});
  process.stdout.write(httpBanner(served, settings, (text) => (hasColour ? styleText('bold', text) : text)));
}

export function httpBanner(
  { version, host, port, token, toolCount }: Served,
  settings: Settings,
  heading: (text: string) => string,
): string {
  const url = `http://${reachable(host)}:${port}/mcp`;
  const bearer = `Bearer ${token}`;
  const server = { type: 'http', url, headers: { Authorization: bearer } };
  return `Tenon ${version} is serving at ${url}

  Roots    ${settings.roots.join('\n           ')}
  Tools    ${toolCount} of ${settings.toolsets.join(', ')}${settings.readOnly ? ' (read-only)' : ''}
  Token    ${token}${everywhereNote(host)}

${heading('Any client (JSON)')}
${indented(JSON.stringify({ mcpServers: { tenon: server } }, null, 2))}

${heading('Claude Code')}
  claude mcp add --transport http tenon ${url} --header ${shellQuoted(`Authorization: ${bearer}`)}

${heading('Codex (~/.codex/config.toml)')}
  [mcp_servers.tenon]
  url = ${JSON.stringify(url)}
  http_headers = { Authorization = ${JSON.stringify(bearer)} }

Stop with Ctrl+C.
`;
}

/** A wildcard is an address to listen on, not one to connect to. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function everywhereNote(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return '';
  return '\n\n  Listening on every address: another machine writes the IP address of this one in the URL.';
}

/** Double quotes read best and work in every shell; a token with signs that they do not protect gets single ones. */
function shellQuoted(text: string): string {
  return /["$`!\\]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
