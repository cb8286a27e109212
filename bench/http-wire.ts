/** One kept-alive connection that speaks MCP over HTTP without any library; an answer ends with its last byte. */
import { connect, type Socket } from 'node:net';
import { NoAnswer } from './wire';

export interface HttpWire {
  /** The time from the write of the request to the last byte, and the message that was answered. */
  ask(method: string, params: string): Promise<{ ms: number; line: Buffer }>;
  close(): void;
}

const ANSWER_LIMIT_MS = 12_000;
const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '\r\n0\r\n\r\n';

export async function openHttpWire(url: string, token?: string): Promise<HttpWire> {
  const { hostname, port, pathname, host } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const fixed = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2025-06-18',
    ...(token ? [`Authorization: Bearer ${token}`] : []),
  ];
  let session: string[] = [];
  let nextId = 1;

  async function post(body: string): Promise<{ ms: number; answer: string }> {
    const head = [...fixed, ...session, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n');
    const started = performance.now();
    socket.write(`${head}${HEAD_END}${body}`);
    const { answer, at } = await receive(socket);
    return { ms: at - started, answer };
  }

  const wire: HttpWire = {
    async ask(method, params) {
      const { ms, answer } = await post(`{"jsonrpc":"2.0","id":${nextId++},"method":"${method}","params":${params}}`);
      const id = /^mcp-session-id: (.*)\r$/im.exec(answer)?.[1];
      if (id) session = [`Mcp-Session-Id: ${id}`];
      return { ms, line: Buffer.from(messageIn(answer)) };
    },
    close: () => socket.destroy(),
  };
  await wire.ask('initialize', OPENING);
  await post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return wire;
}

const OPENING =
  '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tenon-bench","version":"1.0.0"}}';

function receive(socket: Socket): Promise<{ answer: string; at: number }> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const limit = setTimeout(() => reject(new NoAnswer('no answer')), ANSWER_LIMIT_MS);
    const onData = (chunk: Buffer) => {
      const at = performance.now();
      answer += chunk.toString('latin1');
      if (!isWhole(answer)) return;
      clearTimeout(limit);
      socket.off('data', onData);
      resolve({ answer, at });
    };
    socket.on('data', onData);
  });
}

function isWhole(answer: string): boolean {
  const bodyStart = answer.indexOf(HEAD_END) + HEAD_END.length;
  if (bodyStart < HEAD_END.length) return false;
  const head = answer.slice(0, bodyStart);
  const length = /^content-length: (\d+)\r$/im.exec(head)?.[1];
  if (length !== undefined) return answer.length >= bodyStart + Number(length);
  return /^transfer-encoding: chunked\r$/im.test(head) ? answer.endsWith(LAST_CHUNK) : true;
}

/** The JSON of the body, or of the one event in it. The texts are ASCII and short, so that no chunk cuts them. */
function messageIn(answer: string): string {
  return /^(?:data: ?)?(\{"(?:result|jsonrpc|id|error)".*\})\r?$/m.exec(answer)?.[1] ?? '';
}
