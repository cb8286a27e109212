/**
 * Who may speak to the HTTP door, decided from the head of the request alone, before a byte of its body is read:
 * 1. the request must be well-formed: one Host, a path and no absolute URL;
 * 2. it must be meant for this server (Host) and must not come from a web page (Origin, Sec-Fetch-Site);
 * 3. it must name the one path there is;
 * 4. it must carry the token;
 * 5. its method and its content must be of the kind that is served.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { MAX_BODY_BYTES, tooLarge } from './http-body';
import type { Refusal } from './http-refusal';

export const MCP_PATH = '/mcp';
const METHODS = ['GET', 'POST', 'DELETE'];
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

export interface Admission {
  /** The host that was asked for, as the server was told. */
  readonly host: string;
  readonly port: number;
  readonly token: string;
}

export function createGuard({ host, port, token }: Admission): (request: IncomingMessage) => Refusal | undefined {
  const expected = digest(token);
  return (request) => {
    const authorities = new Set(
      [...LOOPBACK_NAMES, host, request.socket.localAddress ?? host].flatMap((name) => authoritiesOf(name, port)),
    );
    return (
      checkForm(request) ??
      checkHost(request, authorities) ??
      checkOrigin(request, authorities) ??
      checkPath(request) ??
      checkToken(request, expected) ??
      checkMethod(request) ??
      checkContent(request)
    );
  };
}

function checkForm({ rawHeaders, url }: IncomingMessage): Refusal | undefined {
  // Node keeps the first of two Host headers; a proxy in front may have looked at the second.
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts !== 1) return { status: 400, message: `Expected exactly one Host header, got ${hosts}` };
  if (!url?.startsWith('/'))
    return { status: 400, message: `Expected a path that starts with / in the request line, such as ${MCP_PATH}` };
  return undefined;
}

function checkHost({ headers }: IncomingMessage, authorities: ReadonlySet<string>): Refusal | undefined {
  if (authorities.has(headers.host?.toLowerCase() ?? '')) return undefined;
  return { status: 403, message: `The Host header names another server; expected ${[...authorities].join(' or ')}` };
}

function checkOrigin({ headers }: IncomingMessage, authorities: ReadonlySet<string>): Refusal | undefined {
  const { origin, 'sec-fetch-site': site } = headers;
  const isOwn = origin === undefined || (origin.startsWith('http://') && authorities.has(origin.slice(7)));
  if (!isOwn) return { status: 403, message: 'Requests of other web pages are refused; expected no Origin header' };
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  return { status: 403, message: 'Requests of other web pages are refused; expected no Sec-Fetch-Site header' };
}

function checkPath({ url = '' }: IncomingMessage): Refusal | undefined {
  const [path] = url.split('?', 1);
  return path === MCP_PATH ? undefined : { status: 404, message: `Nothing is served here; expected ${MCP_PATH}` };
}

function checkToken({ headers }: IncomingMessage, expected: Buffer): Refusal | undefined {
  const [, given] = /^bearer +([\x21-\x7e]+)$/i.exec(headers.authorization ?? '') ?? [];
  // Digests have one length whatever the token's, so that the comparison takes one time.
  const isRight = timingSafeEqual(digest(given ?? ''), expected);
  if (given !== undefined && isRight) return undefined;
  const what = given === undefined ? 'There is no bearer token' : 'The bearer token is wrong';
  return {
    status: 401,
    message: `${what}; expected Authorization: Bearer with the token that tenon printed or was given`,
    headers: { 'www-authenticate': 'Bearer' },
  };
}

function checkMethod({ method = '' }: IncomingMessage): Refusal | undefined {
  if (METHODS.includes(method)) return undefined;
  const allow = METHODS.join(', ');
  return { status: 405, message: `Method ${method} is not served; expected one of ${allow}`, headers: { allow } };
}

function checkContent({ method, headers }: IncomingMessage): Refusal | undefined {
  if (method !== 'POST') return undefined;
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity', 'content-length': length } = headers;
  const [essence = ''] = type.split(';', 1);
  if (essence.trim().toLowerCase() !== 'application/json')
    return { status: 415, message: `Expected Content-Type: application/json, got ${type.slice(0, 100) || 'none'}` };
  if (encoding.toLowerCase() !== 'identity')
    return { status: 415, message: `Expected a body as it is, got Content-Encoding: ${encoding.slice(0, 100)}` };
  return Number(length ?? 0) > MAX_BODY_BYTES ? tooLarge(Number(length)) : undefined;
}

/** How a Host header may write a name: port 80 may be left away. */
function authoritiesOf(name: string, port: number): string[] {
  const plain = name.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  const bracketed = plain.includes(':') && !plain.startsWith('[') ? `[${plain}]` : plain;
  return port === 80 ? [bracketed, `${bracketed}:80`] : [`${bracketed}:${port}`];
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
